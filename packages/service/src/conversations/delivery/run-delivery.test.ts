import { describe, expect, type TestContext, test } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import type { TakenItem } from '../../queue/queue.ts'
import type { ConversationDeliveryRow } from '../../store/schema/agent.ts'
import type { StoreDriver } from '../../store/store.ts'
import { createStore, drivers } from '../../store/stores.fixture.ts'
import { addMessage } from '../base/add-message.ts'
import { changeConversation } from '../base/change-conversation.ts'
import { createConversation } from '../base/create-conversation.ts'
import { queueDelivery } from '../base/queue-delivery.ts'
import type { DeliveryOutcome } from './delivery-outcome.ts'
import { runDelivery } from './run-delivery.ts'

const environmentId = 'e'
const forever = new AbortController().signal

/** Creates a pending delivery, and a function that runs it with the test's sender. */
async function setUp(driver: StoreDriver, context: TestContext, target: ConversationDeliveryRow['target']) {
  const store = await createStore(driver, context)
  const queue = { add: async () => undefined }
  const ports = { store, queue, clock: systemClock, feed: { notify: () => undefined } }
  const place = { environmentId, agentId: 'a', platform: 'slack', integrationIdentifier: 'i' } as const
  const conversation = await store.transaction((tx) => createConversation(tx, place, 1))
  const delivery = await changeConversation(
    ports,
    { environmentId, conversationId: conversation?.id ?? '' },
    async (held) => {
      const { id: messageId } = await addMessage(held, { role: 'agent', text: 'Hi' })
      return queueDelivery(held, { target, event: 'post', messageId })
    },
  )
  const state = { sent: 0, answer: (): Promise<DeliveryOutcome> => new Promise(() => undefined) }
  const sender = () => {
    state.sent++
    return state.answer()
  }
  const work = { ...ports, senders: { bridge: sender, platform: sender }, logger: console }
  const item: TakenItem = { kind: 'k', id: delivery.id, lane: 'e/l', attempts: 1, complete: async () => undefined }
  const read = () => store.db.selectFrom('conversationDeliveries').selectAll().executeTakeFirstOrThrow()
  const run = () => runDelivery(work, item, forever)
  /** Runs the delivery as a process that dies after the message was handed to the platform. */
  const crash = async () => {
    const before = state.sent
    void run()
    await expect.poll(() => state.sent, { timeout: 10_000 }).toBe(before + 1)
  }
  return { state, store, read, run, crash }
}

describe.each(drivers)('a delivery to a platform on %s', (driver) => {
  test('that is interrupted repeatedly is sent three times, and then fails', async (context) => {
    const { state, store, read, run, crash } = await setUp(driver, context, 'platform')
    for (let count = 0; count < 3; count++) await crash()
    expect(await read()).toMatchObject({ status: 'pending', handOvers: 3 })
    await run()
    expect(state.sent).toBe(3)
    expect(await read()).toMatchObject({ status: 'failed', errorCode: 'delivery_unknown' })
    const systemMessages = await store.db
      .selectFrom('conversationMessages')
      .select('text')
      .where('role', '=', 'system')
      .execute()
    expect(systemMessages).toEqual([{ text: expect.stringContaining('not handed over again') }])
    await run()
    expect(state.sent).toBe(3)
  })

  test('stores the start of what a server replies, even if it contains characters that cannot be stored', async (context) => {
    const { state, read, run } = await setUp(driver, context, 'platform')
    const message = `no\0${'x'.repeat(10_000)}`
    state.answer = async () => ({ attempts: 1, fault: { code: 'smtp_failed', message } })
    await run()
    expect(await read()).toMatchObject({ status: 'failed', errorMessage: `no\uFFFD${'x'.repeat(497)}` })
  })

  test('counts interruptions from zero after a stored response', async (context) => {
    const { state, read, run, crash } = await setUp(driver, context, 'platform')
    const never = state.answer
    for (let count = 0; count < 2; count++) await crash()
    const fault = { code: 'http_503', message: 'Later.' }
    state.answer = async () => ({ attempts: 1, fault, retryMs: 1000 })
    await run()
    expect(await read()).toMatchObject({ status: 'pending', attempts: 1, handOvers: 0 })
    state.answer = never
    for (let count = 0; count < 2; count++) await crash()
    state.answer = async () => ({ attempts: 1 })
    await run()
    expect(await read()).toMatchObject({ status: 'acknowledged', handOvers: 0 })
  })
})

test('an event for a bridge is sent again after every interruption, because the bridge recognizes it', async (context) => {
  const { state, read, run, crash } = await setUp('sqlite', context, 'bridge')
  for (let count = 0; count < 5; count++) await crash()
  state.answer = async () => ({ attempts: 1 })
  await run()
  expect(await read()).toMatchObject({ status: 'acknowledged' })
})
