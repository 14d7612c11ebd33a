import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { bridgeWorkflow, serveBridge } from '../bridge.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const path = '/v1/bridge/controls/order/mail'
const versions = '/v1/studio/workflows/order/steps/mail/controls/versions'

async function storeOrder(call: Awaited<ReturnType<typeof startTestService>>['call']): Promise<void> {
  const payloadSchema = { type: 'object', additionalProperties: false, properties: { number: { type: 'string' } } }
  const steps = [{ stepId: 'mail', name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: 'Hello' } }]
  const response = await call('POST', '/v2/workflows', {
    ...{ name: 'Order', workflowId: 'order', active: true, payloadSchema, validatePayload: true, steps },
  })
  expect(response.status).toBe(201)
}

describe.each(drivers)('saved control values (%s)', (driver) => {
  test('are rejected with the position of the error if the step would reject them', async (context) => {
    const { call } = await startTestService(driver, context)
    await storeOrder(call)
    const body = { subject: 'Order {{ payload.number }}', body: 'One\n{{ payload.nummer }}' }
    const refused = await call('PUT', path, { variables: body })
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual({
      'variables.body': {
        messages: [
          expect.stringMatching(/^line 2, column \d+: unknown variable "payload.nummer"; payload has number$/),
        ],
      },
    })
    const filter = await call('PUT', path, { variables: { ...body, body: 'A\n{{ payload.number | shout }}' } })
    expect(filter.status).toBe(422)
    expect(filter.text).toContain('shout')
    const root = await call('PUT', path, { variables: { ...body, body: '{{ nobody }}' } })
    expect(root.status).toBe(422)
    const kept = await call('GET', path)
    expect(kept.body.data.controls).toEqual({ subject: 'Hi', body: 'Hello' })
    const checked = await call('POST', '/v1/studio/workflows/order/steps/mail/controls/check', { controls: body })
    expect(checked.body.data).toMatchObject({ ok: false, issues: [{ path: '/body', line: 2 }] })
  })

  test('are rejected if the step does not have the control, unless its schema allows others', async (context) => {
    const { call } = await startTestService(driver, context)
    const bridge = await serveBridge()
    const [tell, wait, mail] = bridgeWorkflow.steps
    const properties = { subject: { type: 'string' }, body: { type: 'string' } }
    const steps = [
      { ...tell, controls: { schema: { type: 'object', properties, additionalProperties: { type: 'string' } } } },
      { ...wait, controls: { schema: { type: 'object', properties, anyOf: [{ properties: { extra: {} } }] } } },
      { ...mail, controls: { schema: { type: 'object', properties } } },
    ]
    bridge.answer('discover', { status: 200, body: { workflows: [{ ...bridgeWorkflow, steps }] } })
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    const save = (stepId: string, variables: object) =>
      call('PUT', `/v1/bridge/controls/welcome/${stepId}`, { variables })
    const refused = await save('mail', { subject: 'Hi', sub_ject: 'Hi', 'a/b': 1 })
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual({
      'variables.sub_ject': { messages: ['unknown control "sub_ject"; the step has subject, body'] },
      'variables.a~1b': { messages: ['unknown control "a/b"; the step has subject, body'] },
    })
    expect((await save('mail', { subject: 'Hi' })).status).toBe(200)
    for (const stepId of ['tell', 'wait']) expect((await save(stepId, { extra: 'x' })).status).toBe(200)
  })

  test('are kept with author and time, up to the newest fifty', async (context) => {
    const { call } = await startTestService(driver, context)
    await storeOrder(call)
    const save = (body: string) => call('PUT', path, { variables: { subject: 'Hi', body } })
    expect((await save('One')).body.data).toEqual({ controls: { subject: 'Hi', body: 'One' }, checked: true })
    await save('One')
    await save('Two')
    const { data } = (await call('GET', versions)).body
    expect(
      data.map(({ controls, by }: { controls: { body: string }; by: string | null }) => [controls.body, by]),
    ).toEqual([
      ['Two', expect.stringMatching(/^Secret key [0-9a-f]{12}$/)],
      ['One', expect.stringMatching(/^Secret key [0-9a-f]{12}$/)],
      ['Hello', null],
    ])
    for (let index = 0; index < 55; index += 1) await save(`Text ${index}`)
    const many = (await call('GET', versions)).body.data
    expect([many.length, many[0].controls.body]).toEqual([50, 'Text 54'])
    await call('DELETE', '/v2/workflows/order')
    await storeOrder(call)
    expect((await call('GET', versions)).body.data).toHaveLength(1)
  })

  test('are saved without a check if the bridge cannot be called, and the response says so', async (context) => {
    const { call } = await startTestService(driver, context)
    const bridge = await serveBridge()
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    const own = '/v1/bridge/controls/welcome/mail'
    bridge.answer('preview', {
      status: 400,
      body: {
        code: 'StepControlCompilationFailedError',
        message: 'The template is invalid.',
        data: { path: '/a', message: 'undefined filter: shout', line: 3, column: 7 },
      },
    })
    const refused = await call('PUT', own, { variables: { a: '{{ x | shout }}' } })
    expect(refused.body.errors).toEqual({
      'variables.a': { messages: ['line 3, column 7: undefined filter: shout'] },
    })
    bridge.answer('preview', { status: 500, body: { code: 'Whatever', message: 'down', data: null } })
    const saved = await call('PUT', own, { variables: { a: 'x' } })
    expect(saved).toMatchObject({ status: 200, body: { data: { checked: false } } })
    expect((await call('PUT', own, { variables: {} })).body.data.checked).toBe(true)
    expect((await call('PUT', '/v1/bridge/controls/welcome/none', { variables: { a: 'x' } })).status).toBe(404)
  })
})
