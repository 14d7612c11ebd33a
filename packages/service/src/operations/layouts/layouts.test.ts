import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

describe.each(drivers)('layouts and translations (%s)', (driver) => {
  test('layouts are managed (v1)', async (context) => {
    const { call } = await startTestService(driver, context)
    const body = {
      name: 'One',
      identifier: 'one',
      content: '<main>{{{ body }}}</main>',
      variables: [{ name: 'brand', defaultValue: 'B' }],
    }
    const response = await call('POST', '/v1/layouts', { ...body, isDefault: true })
    expect(response).toMatchObject({ status: 201, body: { data: { _id: expect.stringMatching(/^[0-9a-f]{24}$/) } } })
    const one = response.body.data._id
    const two = (await call('POST', '/v1/layouts', { ...body, identifier: 'two' })).body.data._id
    expect((await call('GET', `/v1/layouts/${one}`)).body.data).toMatchObject({
      ...body,
      isDefault: true,
      channel: 'email',
      isDeleted: false,
    })
    expect((await call('POST', `/v1/layouts/${two}/default`)).status).toBe(204)
    const listed = await call('GET', '/v1/layouts?pageSize=1&page=1')
    expect(listed.body).toMatchObject({
      page: 1,
      pageSize: 1,
      totalCount: 2,
      data: [{ identifier: 'one', isDefault: false }],
    })
    expect((await call('PATCH', `/v1/layouts/${one}`, { name: 'New' })).body.data).toMatchObject({
      name: 'New',
      identifier: 'one',
    })
    const refused: readonly [string, string, unknown, number][] = [
      ['POST', '', { ...body }, 409],
      ['POST', '', { ...body, identifier: 'x', content: '<p>no place</p>' }, 400],
      ['POST', '', { ...body, identifier: 'x', content: '{{#if a}}{{{body}}}{{/if}}' }, 400],
      ['PATCH', `/${one}`, {}, 400],
      ['PATCH', `/${two}`, { isDefault: false }, 409],
      ['PATCH', '/nothing', { name: 'x' }, 404],
      ['DELETE', `/${two}`, undefined, 409],
      ['GET', '/nothing', undefined, 404],
    ]
    for (const [method, at, sent, status] of refused)
      expect([method, at, (await call(method, `/v1/layouts${at}`, sent)).status]).toEqual([method, at, status])
    expect((await call('DELETE', `/v1/layouts/${one}`)).status).toBe(204)
    expect((await call('DELETE', `/v1/layouts/${two}`)).status).toBe(204)
    expect((await call('GET', '/v1/layouts')).body.totalCount).toBe(0)
  })

  test('the commands of the guide create a layout and translate it', async (context) => {
    const { call } = await startTestService(driver, context)
    const guide = readFileSync(new URL('../../../../docs/service/messages.md', import.meta.url), 'utf8')
    const commands = [...guide.matchAll(/curl -X (\w+) \$api(\S+) .*\n {2}-d '(.*)'/g)]
    const statuses: number[] = []
    for (const [, method = '', path = '', body = ''] of commands)
      statuses.push((await call(method, path, JSON.parse(body))).status)
    expect(statuses).toEqual([201, 200, 200])
    const subscriber = { firstName: 'Ada', locale: 'de_DE' }
    const preview = await call('POST', '/v2/layouts/brand/preview', { previewPayload: { subscriber } })
    expect(preview.body.result.preview.body).toBe('<h1>Hallo Ada</h1><p>The content of the email.</p>')
  })

  test('the preview of a layout has the defaults of its variables', async (context) => {
    const { call } = await startTestService(driver, context)
    const variables = [{ name: 'brand', type: 'String', defaultValue: 'Shop', required: false }]
    const layout = { name: 'Main', identifier: 'main', content: '{{ brand }}{{{ body }}}', variables }
    expect((await call('POST', '/v1/layouts', layout)).status).toBe(201)
    const preview = await call('POST', '/v2/layouts/main/preview', {})
    expect(preview.body.result.preview.body).toBe('Shop<p>The content of the email.</p>')
  })

  test('layouts are managed, previewed and copied (v2)', async (context) => {
    const { call } = await startTestService(driver, context)
    const response = await call('POST', '/v2/layouts', { layoutId: 'standard', name: 'Standard' })
    expect(response).toMatchObject({
      status: 201,
      body: { layoutId: 'standard', isDefault: true, origin: 'external', type: 'BRIDGE' },
    })
    expect((await call('POST', '/v2/layouts', { layoutId: 'other', name: 'Other_1' })).body.isDefault).toBe(false)
    const controlValues = { email: { body: '<i>{{ subscriber.firstName }}</i>{{content}}', editorType: 'html' } }
    const changed = await call('PUT', '/v2/layouts/standard', { name: 'Renamed', controlValues })
    expect(changed.body).toMatchObject({ name: 'Renamed', controls: { values: controlValues } })
    const preview = await call('POST', '/v2/layouts/standard/preview', {
      previewPayload: { subscriber: { firstName: '<G>' } },
    })
    expect(preview).toMatchObject({
      status: 201,
      body: { result: { type: 'email', preview: { body: '<i>&lt;G&gt;</i><p>The content of the email.</p>' } } },
    })
    const drafts = (translations: object): object => ({
      controlValues: { email: { body: '{{ t.hello }}{{{ body }}}' } },
      previewPayload: { subscriber: { locale: 'de_DE' } },
      translations,
    })
    const draft = await call('POST', '/v2/layouts/standard/preview', drafts({ 'de-de': { hello: 'Moin' } }))
    expect(draft.body.result.preview.body).toBe('Moin<p>The content of the email.</p>')
    const loops = '{{body}}{% for a in (1..1000) %}{% for b in (1..1000) %}{% endfor %}{% endfor %}'
    const refused = [
      [drafts({ de: { hello: { deep: '{{ a | nofilter }}' } } }), 'translations.de.hello.deep'],
      [{ controlValues: { email: { body: '{{#if a}}{{body}}{{/if}}' } } }, 'Blocks are written in Liquid'],
      [{ controlValues: { email: { body: loops } } }, 'the limit of 200000 parts is exceeded'],
      [
        {
          controlValues: { email: { body: '{{body}}<a href="{{ subscriber.data.link }}">x</a>' } },
          previewPayload: { subscriber: { data: { link: 'javascript:alert(1)' } } },
        },
        'the address in "href" has the scheme "javascript:"',
      ],
    ] as const
    for (const [sent, reason] of refused) {
      const { status, body } = await call('POST', '/v2/layouts/standard/preview', sent)
      expect([sent, status, body.message]).toEqual([sent, 422, expect.stringContaining(reason)])
    }
    const copy = await call('POST', '/v2/layouts/standard/duplicate', { name: 'Copy', layoutId: 'copy' })
    expect(copy.body).toMatchObject({ layoutId: 'copy', isDefault: false, controls: { values: controlValues } })
    await call('DELETE', '/v2/layouts/copy')
    await call('PATCH', '/v1/layouts/standard', { description: 'For every mail' })
    const texts = { resourceType: 'layout', resourceId: 'standard', locale: 'de_DE', content: { hello: 'Hallo' } }
    await call('POST', '/v2/translations', texts)
    const [named, unnamed] = [
      await call('POST', '/v2/layouts/standard/duplicate', { name: 'Copy', layoutId: 'copy' }),
      await call('POST', '/v2/layouts/standard/duplicate', { name: 'Copy' }),
    ]
    expect(unnamed.body.layoutId).toMatch(/^standard-[0-9a-f]{8}$/)
    for (const { layoutId, _id } of [named.body, unnamed.body]) {
      expect((await call('GET', `/v1/layouts/${_id}`)).body.data).toMatchObject({ description: 'For every mail' })
      const copied = await call('GET', `/v2/translations/layout/${layoutId}/de_DE`)
      expect(copied.body).toMatchObject({ content: { hello: 'Hallo' } })
    }
    await call('DELETE', `/v2/layouts/${unnamed.body.layoutId}`)
    await call('DELETE', '/v2/translations/layout/standard')
    const listed = await call('GET', '/v2/layouts?query=oth&limit=5')
    expect(listed.body).toMatchObject({ totalCount: 1, layouts: [{ layoutId: 'other' }] })
    expect((await call('GET', '/v2/layouts?query=_1')).body.totalCount).toBe(1)
    expect((await call('GET', '/v2/layouts?query=%25')).body.totalCount).toBe(0)
    expect((await call('GET', '/v2/layouts/standard/usage')).body).toEqual({ workflows: [] })
    for (const [workflowId, layoutId] of [
      ['by-id', named.body._id],
      ['by-name', 'copy'],
      ['none', 'standard'],
    ] as const) {
      const controls = { subject: 's', body: 'b', layoutId }
      const steps = [{ name: 'mail', type: 'email', controlValues: controls }]
      await call('POST', '/v2/workflows', { name: workflowId, workflowId, steps })
    }
    expect((await call('GET', '/v2/layouts/copy/usage')).body.workflows).toEqual([
      { name: 'by-id', workflowId: 'by-id' },
      { name: 'by-name', workflowId: 'by-name' },
    ])
    expect(
      (await call('PUT', '/v2/layouts/standard', { name: 'x', controlValues: { email: { body: 'no place' } } })).status,
    ).toBe(422)
    expect(
      (
        await call('PUT', '/v2/layouts/standard', {
          name: 'x',
          controlValues: { email: { body: '{{content}}', editorType: 'block' } },
        })
      ).status,
    ).toBe(422)
    expect((await call('DELETE', '/v2/layouts/copy')).status).toBe(204)
    expect((await call('GET', '/v2/layouts/copy')).status).toBe(404)
  })

  test('translations are attached to their workflow or layout', async (context) => {
    const { call } = await startTestService(driver, context)
    await call('POST', '/v2/layouts', { layoutId: 'standard', name: 'Standard' })
    const body = {
      resourceType: 'layout',
      resourceId: 'standard',
      locale: 'de-at',
      content: { a: { b: 'Servus {{ subscriber.firstName }}' } },
    }
    expect((await call('POST', '/v2/translations', body)).body).toMatchObject({ ...body, locale: 'de_AT' })
    await call('POST', '/v2/translations', { ...body, locale: 'en', content: { a: 'Hi' } })
    expect((await call('POST', '/v2/translations', { ...body, locale: 'en', content: { a: 'Hello' } })).status).toBe(
      200,
    )
    expect((await call('GET', '/v2/translations/layout/standard/EN')).body.content).toEqual({ a: 'Hello' })
    expect((await call('GET', '/v2/translations/group/layout/standard')).body).toMatchObject({
      locales: ['de_AT', 'en'],
      resourceName: 'Standard',
    })
    const master = await call('POST', '/v2/translations/master-json', {
      locale: 'fr',
      masterJson: { layouts: { standard: { a: 'Salut' } }, workflows: { nothing: {} } },
    })
    expect(master.body.data).toMatchObject({ success: false, successful: ['standard'], failed: ['nothing'] })
    expect((await call('GET', '/v2/translations/master-json?locale=fr')).body.data).toEqual({
      workflows: {},
      layouts: { standard: { a: 'Salut' } },
    })
    const given: readonly [unknown, number][] = [
      [{ ...body, resourceId: 'nothing' }, 404],
      [{ ...body, resourceType: 'page' }, 422],
      [{ ...body, locale: 'english' }, 422],
      [{ ...body, content: { a: 1 } }, 422],
      [{ ...body, content: { a: '{% if x %}' } }, 422],
      [{ ...body, content: { a: '{% if x %}y{% endif %}' } }, 200],
      [{ ...body, content: { a: '{{ a | nofilter }}' } }, 422],
      [{ ...body, content: [] }, 422],
    ]
    for (const [sent, status] of given)
      expect([sent, (await call('POST', '/v2/translations', sent)).status]).toEqual([sent, status])
    expect((await call('DELETE', '/v2/translations/layout/standard/de_AT')).status).toBe(204)
    expect((await call('DELETE', '/v2/translations/layout/standard/de_AT')).status).toBe(404)
    await call('DELETE', '/v2/layouts/standard')
    expect((await call('GET', '/v2/translations/layout/standard/en')).status).toBe(404)
  })

  test('deleting a workflow deletes its translations, and no others', async (context) => {
    const { call } = await startTestService(driver, context)
    const path = (id: string) => `/v2/translations/workflow/${id}/en`
    const makeWorkflow = (id: string) => call('POST', '/v2/workflows', { workflowId: id, name: id, steps: [] })
    for (const id of ['first', 'second', 'third']) {
      expect((await makeWorkflow(id)).status).toBe(201)
      const texts = { resourceType: 'workflow', resourceId: id, locale: 'en', content: { a: 'Hi' } }
      expect((await call('POST', '/v2/translations', texts)).status).toBe(200)
    }
    await call('DELETE', '/v2/workflows/first')
    await call('DELETE', '/v1/workflows/second')
    await makeWorkflow('first')
    const statuses = ['first', 'second', 'third'].map(async (id) => (await call('GET', path(id))).status)
    expect(await Promise.all(statuses)).toEqual([404, 404, 200])
  })
})
