import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { startTestService } from '../service.fixture.ts'

type Driver = (typeof drivers)[number]

async function start(driver: Driver, context: Parameters<typeof startTestService>[1]) {
  const started = await startTestService(driver, context, { bridge: { sleep: async () => undefined } })
  const bridge = await serveBridge()
  await started.call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
  const path = (stepId: string, action: string) => `/v1/studio/workflows/welcome/steps/${stepId}/${action}`
  const preview = async (stepId: string, body: object = {}) =>
    (await started.call('POST', path(stepId, 'preview'), body)).body.data
  const check = (stepId: string, controls: object) => started.call('POST', path(stepId, 'controls/check'), { controls })
  const stepReply = (outputs: object, metadata = {}) =>
    bridge.answer('preview', {
      status: 200,
      body: {
        outputs,
        providers: {},
        options: { skip: false },
        metadata: { status: 'success', error: false, duration: 1, ...metadata },
      },
    })
  return { ...started, bridge, preview, check, stepReply, path }
}

describe.each(drivers)('preview (%s)', (driver) => {
  test('shows the email as it would be sent, with layout, translations, sender and text part', async (context) => {
    const { call, preview, stepReply } = await start(driver, context)
    const layout = {
      identifier: 'frame',
      name: 'Frame',
      content: '<main>{{{ body }}}<i>{{ subscriber.firstName }}</i></main>',
      isDefault: true,
    }
    expect((await call('POST', '/v1/layouts', layout)).status).toBe(201)
    const text = { resourceType: 'workflow', resourceId: 'welcome' }
    for (const [locale, hello] of [
      ['en_US', 'Hello'],
      ['de_DE', 'Hallo'],
    ])
      await call('POST', '/v2/translations', { ...text, locale, content: { hello } })
    stepReply(
      { subject: '{{ t.hello }} {{ t.gone }}', body: '<p>{{ t.hello }}</p>', preheader: 'Soon' },
      {
        warnings: [{ code: 'HtmlSanitized', message: 'm' }],
        removed: [{ kind: 'element', name: 'script', line: 1, column: 2 }],
      },
    )
    const subscriber = { subscriberId: 'ada', firstName: '<Ada>', email: 'ada@example.com' }
    const stepPreview = await preview('mail', { subscriber, locale: 'de_DE' })
    expect(stepPreview).toMatchObject({
      ok: true,
      outputs: { subject: 'Hallo {{ t.gone }}', body: '<p>Hallo</p>' },
      options: { skip: false },
      removed: [{ name: 'script', line: 1, column: 2 }],
      durationMs: expect.any(Number),
      message: { subject: 'Hallo {{ t.gone }}', to: 'ada@example.com', text: expect.stringContaining('Hallo') },
    })
    expect(stepPreview.message.html).toContain('<main><p>Hallo</p><i>&lt;Ada&gt;</i></main>')
    expect(stepPreview.message.html).toContain('Soon')
    expect(stepPreview.warnings.map(({ code }: { code: string }) => code)).toEqual([
      'HtmlSanitized',
      'TranslationMissing',
    ])
    const draft = { subscriber, locale: 'de_DE', translations: { de_DE: { hello: 'Servus', gone: 'weg' } } }
    expect((await preview('mail', draft)).message).toMatchObject({ subject: 'Servus weg' })
    const english = await preview('mail', { translations: { de_DE: { hello: 'Servus' } } })
    expect(english.outputs.body).toBe('<p>Hello</p>')
    expect(english.warnings.at(-1).code).toBe('subscriber_email_missing')
  })

  test('stores and sends nothing', async (context) => {
    const { preview, service } = await start(driver, context)
    expect(await preview('mail', { subscriber: { email: 'ada@example.com' } })).toMatchObject({ ok: true })
    expect(await preview('tell')).toMatchObject({ ok: true, message: null, outputs: { body: 'Hi' } })
    expect(await preview('wait')).toMatchObject({ ok: true, message: null, outputs: { amount: 1 } })
    for (const table of ['messages', 'outbox', 'runs', 'bridgeCalls'] as const)
      expect(await service.store.db.selectFrom(table).select('id').execute(), table).toEqual([])
  })

  test('sends payload, merged controls, earlier results and contexts to the bridge', async (context) => {
    const { call, preview, bridge } = await start(driver, context)
    await call('PUT', '/v1/bridge/controls/welcome/mail', { variables: { a: 'stored', b: 'stored' } })
    const state = [{ stepId: 'tell', outputs: { seen: true } }]
    const sent = { payload: { id: 7 }, controls: { a: 'typed' }, state, context: { team: { id: 't' } }, locale: 'fr' }
    await preview('mail', sent)
    expect(bridge.calls.at(-1)).toMatchObject({
      action: 'preview',
      stepId: 'mail',
      body: {
        payload: { id: 7 },
        controls: { a: 'typed', b: 'stored' },
        state: [{ stepId: 'tell', outputs: { seen: true }, state: { status: 'completed' } }],
        context: { team: { id: 't' } },
        subscriber: { locale: 'fr' },
      },
    })
    await preview('mail', { ...sent, storedControls: false })
    expect(bridge.calls.at(-1)?.body['controls']).toEqual({ a: 'typed' })
  })

  test('returns a failure with code, data and status', async (context) => {
    const { call, preview, bridge, path } = await start(driver, context)
    const data = { path: '/subject', message: 'unclosed', line: 2, column: 3 }
    bridge.answer('preview', {
      status: 400,
      body: { code: 'StepControlCompilationFailedError', message: 'broken', data },
    })
    expect(await preview('mail')).toEqual({
      ok: false,
      error: { code: 'StepControlCompilationFailedError', message: 'broken', data, status: 400 },
    })
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    bridge.answer('preview', { status: 200, body: 'no reply' })
    expect(await preview('mail')).toMatchObject({ ok: false, error: { code: 'ResponseParseError', data: null } })
    expect((await call('POST', path('nothing', 'preview'), {})).status).toBe(404)
    const wrong = { locale: 7, state: [{ stepId: '' }], unknown: 1 }
    expect((await call('POST', path('mail', 'preview'), wrong)).body.errors).toMatchObject({
      locale: expect.anything(),
      'state.0.stepId': expect.anything(),
      unknown: expect.anything(),
    })
  })
})

describe.each(drivers)('control values (%s)', (driver) => {
  test('are validated independently of saved ones, with problems by field, line and column', async (context) => {
    const { call, check, bridge } = await start(driver, context)
    await call('PUT', '/v1/bridge/controls/welcome/mail', { variables: { b: 'stored' } })
    expect((await check('mail', { a: 1 })).body.data).toEqual({ ok: true, issues: [] })
    expect(bridge.calls.at(-1)?.body['controls']).toEqual({ a: 1 })
    const fail = (code: string, data: unknown, status = 400) =>
      bridge.answer('preview', { status, body: { code, message: 'all of it', data } })
    fail('StepControlCompilationFailedError', { path: '/a', message: 'unclosed', line: 2, column: 3 })
    expect((await check('mail', {})).body.data).toEqual({
      ok: false,
      issues: [{ path: '/a', message: 'unclosed', line: 2, column: 3 }],
    })
    fail('ExecutionStateControlInvalidError', { issues: [{ path: '/b', message: 'must be string' }, 'x'] })
    expect((await check('mail', {})).body.data.issues).toEqual([{ path: '/b', message: 'must be string' }])
    fail('ExecutionStateControlInvalidError', null)
    expect((await check('mail', {})).body.data).toEqual({ ok: false, issues: [{ path: '', message: 'all of it' }] })
    fail('StepExecutionFailedError', { stack: 's' }, 502)
    expect((await check('mail', {})).body.data).toEqual({ ok: true, issues: [] })
  })

  test('cannot be validated if the bridge does not support that', async (context) => {
    const { check, bridge } = await start(driver, context)
    bridge.answer('preview', { status: 404, body: { code: 'WorkflowNotFoundError', message: 'gone', data: null } })
    expect(await check('mail', {})).toMatchObject({
      status: 404,
      body: { message: 'gone', ctx: { code: 'WorkflowNotFoundError' } },
    })
    bridge.answer('preview', { status: 200, body: 'nothing' })
    expect((await check('mail', {})).status).toBeGreaterThanOrEqual(400)
  })
})
