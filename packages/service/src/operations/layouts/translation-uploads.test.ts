import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { secretKey, startTestService, type TestService } from '../service.fixture.ts'

const file = (text: string | Uint8Array<ArrayBuffer>) => new Blob([text], { type: 'application/json' })
const headers = { authorization: `ApiKey ${secretKey}` }
const send = async (
  { service }: TestService,
  path: string,
  body: FormData | Uint8Array<ArrayBuffer> | string,
  type?: string,
) => {
  const response = await fetch(`${service.url}/v2/translations/${path}`, {
    method: 'POST',
    headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
    body,
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const form = (files: Readonly<Record<string, string>>, resourceId = 'standard', name = 'files[]'): FormData => {
  const formData = new FormData()
  for (const [fileName, text] of Object.entries(files)) formData.append(name, file(text), fileName)
  formData.append('resourceId', resourceId)
  formData.append('resourceType', 'layout')
  return formData
}

describe.each(drivers)('translation files (%s)', (driver) => {
  test('are saved by name, even if other files fail', async (context) => {
    const testService = await startTestService(driver, context)
    const { call } = testService
    await call('POST', '/v2/layouts', { layoutId: 'standard', name: 'Standard' })
    const files = {
      'en_US.json': '{"a":"Hi é"}',
      'de-at.json': '{"a":{"b":"Servus"}}',
      'x.json': '{}',
      'fr.json': '{"a":',
      'it.json': '[]',
      'es.json': '{"a":1}',
    }
    const sent = await send(testService, 'upload', form(files))
    expect(sent).toMatchObject({ status: 200, body: { totalFiles: 6, successfulUploads: 2, failedUploads: 4 } })
    const errors = sent.body['errors'] as string[]
    expect(errors.map((error) => error.split(':')[0])).toEqual(['x.json', 'fr.json', 'it.json', 'es.json'])
    expect((await call('GET', '/v2/translations/layout/standard/en_US')).body.content).toEqual({ a: 'Hi é' })
    expect((await call('GET', '/v2/translations/group/layout/standard')).body.locales).toEqual(['de_AT', 'en_US'])
    // A single file can be sent without the list suffix.
    expect(
      (await send(testService, 'upload', form({ 'pt.json': '{}', 'nl.json': '{}' }, 'standard', 'files'))).status,
    ).toBe(200)
  })

  test('of a whole locale are saved for each resource', async (context) => {
    const testService = await startTestService(driver, context)
    await testService.call('POST', '/v2/layouts', { layoutId: 'standard', name: 'Standard' })
    const master = new FormData()
    master.append('file', file('{"layouts":{"standard":{"a":"Salut"},"none":{}}}'), 'fr.json')
    const sent = await send(testService, 'master-json/upload', master)
    expect(sent).toMatchObject({
      status: 200,
      body: { data: { success: false, successful: ['standard'], failed: ['none'] } },
    })
    expect((await testService.call('GET', '/v2/translations/layout/standard/fr')).body.content).toEqual({ a: 'Salut' })
    const wrong = new FormData()
    wrong.append('file', file('{"layouts":{"standard":1}}'), 'fr.json')
    expect(await send(testService, 'master-json/upload', wrong)).toMatchObject({
      status: 422,
      body: { errors: { 'file.layouts.standard': {} } },
    })
  })

  test('have the same limits as JSON bodies', async (context) => {
    const testService = await startTestService(driver, context)
    await testService.call('POST', '/v2/layouts', { layoutId: 'standard', name: 'Standard' })
    const many = `{"a":[${'1,'.repeat(60_000)}1]}`
    const deep = `{"a":${'['.repeat(200)}${']'.repeat(200)}}`
    const sent = await send(testService, 'upload', form({ 'en.json': many, 'de.json': deep }))
    expect(sent.body).toMatchObject({
      errors: ['en.json: file: has more than 50000 values', 'de.json: file: is nested deeper than 100 levels'],
    })
    const master = new FormData()
    master.append('file', file(many), 'fr.json')
    expect(await send(testService, 'master-json/upload', master)).toMatchObject({
      status: 422,
      body: { errors: { file: { messages: ['has more than 50000 values'] } } },
    })
  })

  test('are rejected if the request is not a form, or the form is malformed', async (context) => {
    const testService = await startTestService(driver, context)
    await testService.call('POST', '/v2/layouts', { layoutId: 'standard', name: 'Standard' })
    const more = form({ 'en.json': '{}' })
    more.append('more', 'x')
    const bytes = new FormData()
    bytes.append('files[]', file(new Uint8Array([0xff, 0xfe])), 'en.json')
    const refused: readonly [FormData | string, string | undefined, number][] = [
      ['{}', 'application/json', 415],
      ['', 'multipart/form-data', 415],
      ['x', 'multipart/form-data; boundary=b', 400],
      ['--b\r\n\r\nx\r\n--b--', 'multipart/form-data; boundary=b', 400],
      [bytes, undefined, 400],
      [more, undefined, 422],
      [form({}), undefined, 422],
      [form({ 'en.json': '{}' }, 'nothing'), undefined, 404],
    ]
    for (const [body, type, status] of refused) {
      const sent = await send(testService, 'upload', body, type)
      expect([type, sent.status]).toEqual([type, status])
      expect(sent.body).toMatchObject({ statusCode: status, path: '/v2/translations/upload' })
    }
  })
})

test('responds to any malformed form with an error', async (context) => {
  const testService = await startTestService('sqlite', context)
  const piece = fc.oneof(
    fc.constantFrom(
      '--b',
      '--b--',
      '\r\n',
      '\n',
      'Content-Disposition: form-data; name="files[]"; filename="en.json"',
      'name=',
      ';',
      '"',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const sent = await send(
        testService,
        'upload',
        new TextEncoder().encode(pieces.join('')),
        'multipart/form-data; boundary=b',
      )
      expect([400, 422]).toContain(sent.status)
      expect(sent.body).toMatchObject({ statusCode: sent.status })
    }),
    { numRuns: draws(40, 500) },
  )
})

test.for(drivers)(
  'translations are listed by workflow and layout, with their languages (%s)',
  async (driver, context) => {
    const { call } = await startTestService(driver, context)
    await call('POST', '/v2/layouts', { layoutId: 'shop', name: 'Shop' })
    for (const locale of ['en_US', 'de_DE'])
      await call('POST', '/v2/translations', {
        resourceType: 'layout',
        resourceId: 'shop',
        locale,
        content: { a: 'A' },
      })
    expect((await call('GET', '/v1/studio/translations')).body.data).toEqual([
      {
        ...{ resourceType: 'layout', resourceId: 'shop', resourceName: 'Shop', locales: ['de_DE', 'en_US'] },
        updatedAt: expect.any(String),
      },
    ])
  },
)
