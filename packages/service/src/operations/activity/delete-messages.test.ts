import { describe, expect, test } from 'vitest'
import { addMessages } from '../../messages/list-messages.fixture.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const path = '/v1/messages/transaction/many'

describe.each(drivers)('the messages of a transaction (%s)', (driver) => {
  test('are deleted 500 per request; the others are left to the background', async (context) => {
    const { call, service, addSubscriber, addMessage, environmentId } = await startTestService(driver, context)
    const subscriberId = await addSubscriber('ada')
    const other = await addMessage(subscriberId)
    const fields = { environmentId, subscriberId, transactionId: 'many' }
    await addMessages(service.store, { prefix: 'm', count: 720 }, fields)
    const left = async () => (await service.store.db.selectFrom('messages').select('id').execute()).length
    expect((await call('DELETE', `${path}?channel=email`)).status).toBe(404)
    expect((await call('DELETE', path)).status).toBe(204)
    // This process does not work on the queue.
    expect(await left()).toBe(221)
    expect((await call('DELETE', path)).status).toBe(204)
    expect(await left()).toBe(1)
    expect((await call('DELETE', path)).status).toBe(404)
    expect((await call('DELETE', `/v1/messages/${other}`)).status).toBe(200)
    expect(await left()).toBe(0)
  })

  test('are all deleted in the background', async (context) => {
    const { call, service, addSubscriber, environmentId } = await startTestService(driver, context, { work: true })
    const subscriberId = await addSubscriber('ada')
    const fields = { environmentId, subscriberId, transactionId: 'many' }
    await addMessages(service.store, { prefix: 'm', count: 720 }, fields)
    expect((await call('DELETE', path)).status).toBe(204)
    const left = service.store.db.selectFrom('messages').select('id')
    await expect.poll(() => left.execute()).toEqual([])
  })
})
