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

describe.each(drivers)('the payload of a trigger on %s', (driver) => {
  test('is held against the whole schema where the workflow asks for it', async (context) => {
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

  test('cannot be held against a schema that leads nowhere', async (context) => {
    const { call } = await startTestService(driver, context)
    const body = { name: 'Order', workflowId: 'order', steps, payloadSchema: { $ref: '#/nowhere' } }
    const refused = await call('POST', '/v2/workflows', body)
    expect(refused.status).toBe(422)
    expect(refused.body.errors.payloadSchema.messages[0]).toContain('leads nowhere')
  })
})
