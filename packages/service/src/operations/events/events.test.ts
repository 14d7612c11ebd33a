import type { JsonObject } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const schema = {
  type: 'object',
  required: ['order'],
  properties: { order: { $ref: '#/$defs/order' } },
  $defs: { order: { type: 'object', required: ['id'], properties: { id: { type: 'string', minLength: 3 } } } },
}
const steps = [{ name: 'Tell', type: 'sms', controlValues: { body: 'hi' } }]

const named = 'lowercase letters and digits'

describe.each(drivers)('trigger contexts (%s)', (driver) => {
  const refused: readonly [what: string, given: unknown, field: string, message: string][] = [
    ['a list', ['a'], 'context', 'must be an object'],
    ['no object', true, 'context', 'must be an object'],
    ['the character U+0000', { tenant: 'a\0b' }, 'context.tenant', named],
    ['an unpaired surrogate', { tenant: 'a\ud800' }, 'context.tenant', named],
    ['null', { tenant: null }, 'context.tenant', 'must be an id'],
    ['no id', { tenant: {} }, 'context.tenant.id', 'must be a string'],
    ['an object as id', { tenant: { id: { x: 1 } } }, 'context.tenant.id', 'must be a string'],
    ['a number', { tenant: 5 }, 'context.tenant', 'must be an id'],
    ['an empty id', { tenant: '' }, 'context.tenant', named],
    ['a colon', { tenant: { id: 'a:b' } }, 'context.tenant.id', named],
    ['a long id', { tenant: { id: 'a'.repeat(101) } }, 'context.tenant.id', 'at most 100 characters'],
    ['data that is no object', { tenant: { id: 'a', data: [1] } }, 'context.tenant.data', 'must be an object'],
    ['another field', { tenant: { id: 'a', name: 'b' } }, 'context.tenant.name', 'is not a field'],
    ['a type of other characters', { 'Bad Type!': 'a' }, 'context.Bad Type!', named],
    ['an empty type', { '': 'a' }, 'context.', named],
    ['the type __proto__', JSON.parse('{ "__proto__": "a" }'), 'context', named],
    ['too many', Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`t${at}`, 'a'])), 'context', 'at most 100'],
  ]

  test('are rejected by name if they cannot be stored', async (testContext) => {
    const { call, addSubscriber } = await startTestService(driver, testContext)
    await addSubscriber('ada')
    for (const [what, context, field, message] of refused)
      for (const [line, body] of [
        ['POST /v1/events/trigger', { name: 'order', to: 'ada', context }],
        ['POST /v1/events/trigger/bulk', { events: [{ name: 'order', to: 'ada', context }] }],
        ['POST /v1/events/trigger/broadcast', { name: 'order', context }],
        ['POST /v2/topics/news/subscriptions', { subscriptions: ['ada'], context }],
        ['PATCH /v2/subscribers/ada/preferences', { context }],
      ] as const) {
        const [method = '', path = ''] = line.split(' ')
        const { status, body: answer } = await call(method, path, body)
        const name = path.endsWith('/bulk') ? `events.0.${field}` : field
        const faults = Object.entries<{ messages: string[] }>(answer.errors ?? {})
        expect([what, line, status, faults.map(([at]) => at)]).toEqual([what, line, 422, [name]])
        expect(faults[0]?.[1].messages.join()).toContain(message)
      }
  })

  test('reach the run both as ids and with their data', async (context) => {
    const { call } = await startTestService(driver, context, { work: true })
    await call('POST', '/v2/workflows', { name: 'Order', workflowId: 'order', active: true, steps })
    const given = { tenant: 'acme-1', app: { id: 'shop.eu', data: { plan: 'pro' } } }
    expect(await call('POST', '/v1/events/trigger', { name: 'order', to: 'ada', context: given })).toMatchObject({
      status: 201,
    })
    await expect
      .poll(async () => (await call('GET', '/v1/notifications')).body.data.map((run: JsonObject) => run['contextKeys']))
      .toEqual([['app:shop.eu', 'tenant:acme-1']])
    expect((await call('GET', '/v2/contexts/app/shop.eu')).body.data).toEqual({ plan: 'pro' })
  })
})

describe.each(drivers)('trigger payload (%s)', (driver) => {
  test('is validated against the whole schema if the workflow requires it', async (context) => {
    const { call, service } = await startTestService(driver, context)
    const workflow = { name: 'Order', workflowId: 'order', active: true, steps, payloadSchema: schema }
    expect(await call('POST', '/v2/workflows', { ...workflow, validatePayload: true })).toMatchObject({ status: 201 })
    const trigger = (payload: object) => call('POST', '/v1/events/trigger', { name: 'order', to: 'ada', payload })
    expect(await trigger({ order: { id: 'abc' } })).toMatchObject({
      status: 201,
      body: { data: { status: 'processed' } },
    })
    const refused = await trigger({ order: { id: 'ab' } })
    expect(refused).toMatchObject({
      status: 400,
      body: { type: 'PAYLOAD_VALIDATION_ERROR', errors: [{ field: 'order.id', value: 'ab' }] },
    })
    expect(refused.body.message).toContain('order.id')
    expect((await trigger({})).body.errors).toMatchObject([{ field: 'order', message: 'is required' }])
    const bulk = await call('POST', '/v1/events/trigger/bulk', {
      events: [{}, { order: { id: 'abc' } }].map((payload) => ({ name: 'order', to: 'ada', payload })),
    })
    expect(bulk.body.data).toMatchObject([{ status: 'error' }, { status: 'processed' }])
    expect(bulk.body.data[0]).not.toHaveProperty('faults')
    const stored = await service.store.db.selectFrom('triggers').select('id').execute()
    expect(stored).toHaveLength(2)
    await call('PATCH', '/v2/workflows/order', { validatePayload: false })
    expect(await trigger({})).toMatchObject({ status: 201 })
  })

  test('cannot be validated against a schema with a dangling reference', async (context) => {
    const { call } = await startTestService(driver, context)
    const body = { name: 'Order', workflowId: 'order', steps, payloadSchema: { $ref: '#/nowhere' } }
    const refused = await call('POST', '/v2/workflows', body)
    expect(refused.status).toBe(422)
    expect(refused.body.errors.payloadSchema.messages[0]).toContain('which is not in the schema')
  })
})
