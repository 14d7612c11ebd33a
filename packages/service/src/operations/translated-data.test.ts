import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { serveBridge } from './bridge.fixture.ts'
import { startTestService } from './service.fixture.ts'

const canary = 'NOTE-CANARY'
const attacks: readonly (readonly [string, object])[] = [
  ['a whole output', { name: '{{ t.internal }}{{ t.html }}' }],
  ['a raw output', { name: '{{{ t.internal }}}' }],
  ['an output with a filter', { name: '{{ t.internal | upcase }}' }],
  ['an output in brackets', { name: '{{ t["internal"] }}' }],
  ['an output of two values', { name: '{{ t.inter', last: 'nal }}' }],
  ['an output of two braces', { name: '{', last: '{ t.internal }}' }],
  ['an output without spaces', { name: '{{t.internal}}' }],
]

async function start() {
  const context = { onTestFinished, skip: () => undefined } as never
  const tested = await startTestService('sqlite', context, { work: true })
  const { call } = tested
  const addTexts = async (resourceId: string) => {
    const content = { hello: 'Good day', internal: canary, html: `<b>${canary}</b>` }
    const text = { resourceType: 'workflow', resourceId, locale: 'en_US', content }
    expect((await call('POST', '/v2/translations', text)).status).toBeLessThan(300)
  }
  const send = async (name: string, payload: object, count: number) => {
    const { body } = await call('POST', '/v1/events/trigger', {
      name,
      to: { subscriberId: 'ada', email: 'a@b.example', phone: '+1' },
      payload,
    })
    return vi.waitFor(async () => {
      const { data } = (await call('GET', `/v1/messages?transactionId=${body.data.transactionId}`)).body
      expect(data.length).toBeGreaterThanOrEqual(count)
      return JSON.stringify([data, (await call('GET', '/v1/studio/outbox')).body.data])
    }, 15_000)
  }
  return { ...tested, addTexts, send }
}

describe.each(attacks)('%s in a payload', (_what, payload) => {
  test('is not read as a translation, in any channel of a stored workflow', async () => {
    const { call, addTexts, send } = await start()
    const text = '{{ t.hello }} {{ payload.name }}{{ payload.last }}'
    const steps = [
      ['email', { subject: text, body: `<p>${text}</p>{% capture all %}${text}{% endcapture %}{{ all }}` }],
      ['sms', { body: text }],
      ['in_app', { subject: text, body: text }],
      ['push', { subject: text, body: text }],
      ['chat', { body: text }],
    ].map(([type, controlValues]) => ({ stepId: `s-${type}`, name: 'S', type, controlValues }))
    await call('POST', '/v2/workflows', { name: 'W', workflowId: 'w', active: true, steps })
    await addTexts('w')
    const sentText = await send('w', { last: '', ...payload }, 5)
    expect(sentText).toContain('Good day')
    expect(sentText).not.toContain('{{ t.hello }}')
    expect(sentText).not.toMatch(/NOTE-CANARY/i)
  })

  test('is not read as a translation in the output of a bridge', async () => {
    const { call, addTexts, send } = await start()
    const bridge = await serveBridge()
    await call('POST', '/v1/bridge/sync', { bridgeUrl: bridge.url })
    await addTexts('welcome')
    const { name = '', last = '' } = payload as { name?: string; last?: string }
    const outputs = { body: `{{ t.hello }} ${name}${last}`, data: { deep: [`${name}${last}`] } }
    const metadata = { status: 'success', error: false, duration: 1 }
    bridge.answer('execute', { status: 200, body: { outputs, providers: {}, options: { skip: false }, metadata } })
    const sentText = await send('welcome', payload, 1)
    expect(sentText).toContain('Good day')
    expect(sentText).not.toMatch(/NOTE-CANARY/i)
  })
})

test('sends text that was escaped internally in its original form', async () => {
  const { call, addTexts, send } = await start()
  const steps = [{ stepId: 's', name: 'S', type: 'sms', controlValues: { body: '{{ t.hello }}, {{ payload.name }}' } }]
  await call('POST', '/v2/workflows', { name: 'W', workflowId: 'w', active: true, steps })
  await addTexts('w')
  const sentText = await send('w', { name: '{{ t.internal }} {{{{' }, 1)
  expect(sentText).toContain('"Good day, {{ t.internal }} {{{{"')
  const preview = await call('POST', '/v1/studio/workflows/w/steps/s/preview', {
    payload: { name: '{{ t.internal }}' },
  })
  expect(preview.body.data.outputs).toEqual({ body: 'Good day, {{ t.internal }}' })
})
