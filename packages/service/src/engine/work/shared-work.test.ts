import { describe, expect, test, vi } from 'vitest'
import { UnreachableStoreError } from '../../store/faults/is-overload.ts'
import type { Store } from '../../store/store.ts'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { createGate, createLedEngine } from '../next/led-runs.fixture.ts'
import type { Program } from '../program-bridge.fixture.ts'

const runs = 8
const message = () => ({ body: 'b' })

/** Sends one message by a call that asks for the next step, and two by calls of steps. */
const program: Program = async ({ step }) => {
  await step('ask', 'custom')
  await step('first', 'sms', message)
  await Promise.all([step('left', 'sms', message), step('right', 'email', message)])
}

/** Commits every third transaction and then reports a lost connection. Returns how often that happened. */
function loseAnswers(store: Store, context: { onTestFinished(end: () => void): void }): () => number {
  const { transaction } = store
  let count = 0
  const spy = vi.spyOn(store, 'transaction').mockImplementation(async (work) => {
    const result = await transaction(work)
    if (++count % 3 === 1) throw new UnreachableStoreError(new Error('Connection terminated unexpectedly'))
    return result as never
  })
  context.onTestFinished(() => spy.mockRestore())
  return () => Math.ceil(count / 3)
}

describe.each(bothDrivers)('shared transactions on %s', (driver) => {
  test('lose no run and send no message twice if the reply to a commit is lost', async (context) => {
    const sent: string[] = []
    const send = async (id: string) => {
      sent.push(id)
      return { patch: { status: 'sent' as const }, notes: [] }
    }
    const made = await createLedEngine(driver, context, {
      ...{ channels: { isSent: () => true, send }, faults: [], concurrency: 64 },
    })
    const gate = createGate()
    made.bridge.onCall = () => gate.opened
    const name = await made.add(program)
    for (let count = 0; count < runs; count++) await made.begin(name)
    const lost = loseAnswers(made.store, context)
    gate.open()
    await made.drain()
    const { db } = made.store
    expect(lost()).toBeGreaterThan(2)
    const ended = await db.selectFrom('runs').select('status').execute()
    expect(ended).toEqual(Array.from({ length: runs }, () => ({ status: 'completed' })))
    const messages = await db.selectFrom('messages').select(['id', 'status']).execute()
    expect(messages.filter(({ status }) => status !== 'sent')).toEqual([])
    expect(sent.toSorted()).toEqual(messages.map(({ id }) => id).toSorted())
    expect(messages).toHaveLength(3 * runs)
  }, 120_000)
})
