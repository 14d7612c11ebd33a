import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject } from '@trestle/protocol'
import { describe, expect, test, vi } from 'vitest'
import { createManualClock } from '../../clock/manual-clock.ts'
import { conversationLimits } from '../../conversations/base/conversation-limits.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { secretKey } from '../service.fixture.ts'
import { type ReceivedEvent, startAgents } from './agents.fixture.ts'

const busy = { status: 503, body: { code: 'AgentBusyError', message: 'The agent is busy.', data: null } }
const unknown = {
  status: 404,
  body: { code: 'AgentNotFoundError', message: 'There is no agent "support".', data: null },
}
/** The bridge client waits between retries; skipped here. */
const hasty = { bridge: { allow: ['127.0.0.0/8'], sleep: async () => undefined } }

describe.each(drivers)('events (%s)', (driver) => {
  test('are delivered one at a time within a conversation, and concurrently across conversations', async (context) => {
    const { begin, ok, bridge, waitForEvents } = await startAgents(driver, context)
    const underWay = new Map<string, number>()
    let most = 0
    let mostBeside = 0
    bridge.answer = async ({ body: { conversationId } }) => {
      underWay.set(conversationId, (underWay.get(conversationId) ?? 0) + 1)
      most = Math.max(most, ...underWay.values())
      mostBeside = Math.max(mostBeside, [...underWay.values()].filter((count) => count > 0).length)
      await pause(5 + Math.random() * 20)
      underWay.set(conversationId, (underWay.get(conversationId) ?? 0) - 1)
      return undefined
    }
    const paths = await Promise.all(Array.from({ length: 4 }, () => begin()))
    for (let number = 0; number < 12; number++)
      await Promise.all(paths.map((path) => ok(`POST ${path}/messages`, { text: `${number}` })))
    const events = await waitForEvents(48)
    const texts = (path: string) =>
      events.filter(({ body }) => path.endsWith(body.conversationId)).map(({ body }) => Number(body.message.text))
    for (const path of paths) expect(texts(path)).toEqual(Array.from({ length: 12 }, (_, number) => number))
    expect(most).toBe(1)
    expect(mostBeside).toBeGreaterThan(1)
  })

  test('that are rejected appear in the conversation, and the next one follows', async (context) => {
    const { begin, ok, bridge, waitForEvents, log } = await startAgents(driver, context, hasty)
    bridge.answer = ({ body }) => (body.message.text === 'bad' ? unknown : undefined)
    const path = await begin()
    await ok(`POST ${path}/messages`, { text: 'bad' })
    await ok(`POST ${path}/messages`, { text: 'good' })
    const [event] = await waitForEvents(1)
    expect(event?.body.message.text).toBe('good')
    const conversation = await ok(`GET ${path}`)
    expect(conversation.deliveries[0]).toMatchObject({
      ...{ status: 'failed', attempts: 1 },
      lastError: { code: 'AgentNotFoundError', message: 'There is no agent "support".' },
    })
    expect(conversation.messages).toContainEqual(
      expect.objectContaining({
        role: 'system',
        error: { code: 'AgentNotFoundError', message: 'There is no agent "support".' },
        text: expect.stringContaining('onMessage'),
      }),
    )
    expect(log.join('')).not.toContain(secretKey)
  })

  test('that the bridge does not accept are tried four times', async (context) => {
    const { begin, ok, bridge } = await startAgents(driver, context, hasty)
    let calls = 0
    bridge.answer = () => {
      calls++
      return { status: 502, body: 'broken' }
    }
    const path = await begin()
    await ok(`POST ${path}/messages`, { text: 'Hi' })
    await vi.waitFor(async () => {
      const { deliveries } = await ok(`GET ${path}`)
      expect(deliveries).toMatchObject([{ status: 'failed', attempts: 4, lastError: { code: expect.any(String) } }])
    }, 15_000)
    expect(calls).toBe(4)
  })

  test('that failed are sent again on request, in order and with the same id', async (context) => {
    const { begin, ok, call, bridge, waitForEvents } = await startAgents(driver, context, hasty)
    const ids: string[] = []
    let isDown = true
    bridge.answer = ({ body }) => {
      ids.push(body.deliveryId)
      return isDown ? unknown : undefined
    }
    const path = await begin()
    await ok(`POST ${path}/messages`, { text: 'first' })
    await ok(`POST ${path}/messages`, { text: 'second' })
    const deliveries = await vi.waitFor(async () => {
      const conversation = await ok(`GET ${path}`)
      expect(conversation.deliveries).toMatchObject([{ status: 'failed' }, { status: 'failed' }])
      return conversation.deliveries
    }, 10_000)
    isDown = false
    const again = (id: string) => call('POST', `${path}/deliveries/${id}/send-again`)
    expect(await again(deliveries[0].deliveryId)).toMatchObject({ status: 202, body: { data: { accepted: true } } })
    const [event] = await waitForEvents(1)
    expect(event?.body).toMatchObject({ deliveryId: ids[0], message: { text: 'first' } })
    expect(event?.body.history.map(({ role }: { role: string }) => role)).not.toContain('user')
    await vi.waitFor(async () => {
      expect((await ok(`GET ${path}`)).deliveries).toMatchObject([
        { status: 'acknowledged', attempts: 1 },
        { status: 'failed', lastError: { code: 'AgentNotFoundError' } },
      ])
    }, 10_000)
    expect(await again(deliveries[0].deliveryId)).toMatchObject({ status: 409 })
    expect(await again('nobody')).toMatchObject({ status: 404 })
    const other = await begin()
    const foreign = await call('POST', `${other}/deliveries/${deliveries[1].deliveryId}/send-again`)
    expect(foreign).toMatchObject({ status: 404 })
  })

  test('for a busy agent are retried later, with the same id', async (context) => {
    const { begin, ok, bridge, waitForEvents } = await startAgents(driver, context, hasty)
    const seen: ReceivedEvent[] = []
    bridge.answer = (event) => {
      seen.push(event)
      return seen.length <= 2 ? busy : undefined
    }
    const path = await begin()
    await ok(`POST ${path}/messages`, { text: 'first' })
    await ok(`POST ${path}/messages`, { text: 'second' })
    await vi.waitFor(async () => {
      const { deliveries } = await ok(`GET ${path}`)
      expect(deliveries[0]).toMatchObject({ status: 'pending', attempts: 1, lastError: { code: 'AgentBusyError' } })
    }, 10_000)
    const events = await waitForEvents(2)
    expect(events.map(({ body }) => body.message.text)).toEqual(['first', 'second'])
    expect(new Set(seen.slice(0, 3).map(({ body }) => body.deliveryId)).size).toBe(1)
    expect((await ok(`GET ${path}`)).deliveries).toMatchObject([{ status: 'acknowledged', attempts: 3 }, {}])
    expect((await ok(`GET ${path}`)).messages).toHaveLength(2)
  })

  test('wait for a running engine, up to a limit', async (context) => {
    const { begin, ok, call, service, environmentId } = await startAgents(driver, context, { work: false })
    const path = await begin()
    await ok(`POST ${path}/messages`, { text: 'Hi' })
    const { db } = service.store
    const [row] = await db.selectFrom('conversationDeliveries').selectAll().execute()
    if (!row) return
    const rest = Array.from({ length: conversationLimits.waiting - 1 }, (_, index) => ({
      ...row,
      id: `waiting${index}`,
      position: 1000 + index,
    }))
    for (let start = 0; start < rest.length; start += 50)
      await db
        .insertInto('conversationDeliveries')
        .values(rest.slice(start, start + 50))
        .execute()
    const full = await call('POST', `${path}/messages`, { text: 'one too many' })
    expect(full).toMatchObject({ status: 503 })
    expect(full.headers.get('retry-after')).toBe('5')
    expect((await ok(`GET ${path}`)).messages).toHaveLength(1)
    await db.updateTable('conversations').set({ messageCount: conversationLimits.messages }).execute()
    expect(await call('POST', `${path}/messages`, { text: 'x' })).toMatchObject({ status: 409 })
    expect(environmentId).toBe(row.environmentId)
  })
})

test('an event contains a history with the agent’s later replies, but no later user messages', async (context) => {
  const { begin, ok, bridge, waitForEvents, reply } = await startAgents('sqlite', context)
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let first: ReceivedEvent | undefined
  bridge.answer = async (event) => {
    first ??= event
    if (event === first) await held
    return undefined
  }
  const path = await begin()
  await ok(`POST ${path}/messages`, { text: 'one' })
  await ok(`POST ${path}/messages`, { text: 'two' })
  await ok(`POST ${path}/messages`, { text: 'three' })
  await vi.waitFor(() => expect(first).toBeDefined())
  if (first) await reply(first, { reply: { text: 'answer to one' } })
  release()
  const events = await waitForEvents(3)
  const histories = events.map(({ body }) => body.history.map(({ text }: { text: string }) => text))
  expect(histories).toEqual([[], ['one', 'answer to one'], ['one', 'two', 'answer to one']])
})

test('the history is limited in the number and length of messages', async (context) => {
  const { begin, ok, service, waitForEvents } = await startAgents('sqlite', context)
  const path = await begin()
  await ok(`POST ${path}/messages`, { text: 'Hi' })
  await waitForEvents(1)
  const { db } = service.store
  const first = await db.selectFrom('conversationMessages').selectAll().executeTakeFirstOrThrow()
  const fill = async (count: number, text: string, from: number) => {
    for (let index = 0; index < count; index += 100) {
      const rows = Array.from({ length: 100 }, (_, at) => ({
        ...first,
        ...{
          id: `m${from + index + at}`,
          role: 'agent' as const,
          position: from + index + at,
          text: `${text}${index + at}`,
        },
      }))
      await db.insertInto('conversationMessages').values(rows).execute()
    }
    await db
      .updateTable('conversations')
      .set({ lastPosition: from + count })
      .execute()
  }
  await fill(1200, 'm', 100)
  await ok(`POST ${path}/messages`, { text: 'again' })
  const { history } = (await waitForEvents(2))[1]?.body ?? {}
  expect(history).toHaveLength(1000)
  expect([history[0].text, history.at(-1).text]).toEqual(['m200', 'm1199'])
  await fill(100, 'x'.repeat(50_000), 5000)
  await ok(`POST ${path}/messages`, { text: 'again' })
  const long: readonly JsonObject[] = (await waitForEvents(3))[2]?.body.history
  expect(long).toHaveLength(19)
  expect(long.at(-1)?.['text']).toMatch(/x99$/)
})

test('removes inactive conversations, but not those with pending work', async (context) => {
  const clock = createManualClock()
  const dayMs = 24 * 60 * 60_000
  const { begin, ok, service, waitForEvents, reply } = await startAgents('sqlite', context, {
    clock,
    retentionMs: 10 * dayMs,
  })
  const old = await begin()
  await ok(`POST ${old}/messages`, { text: 'old' })
  const [event] = await waitForEvents(1)
  if (event) await reply(event, { question: { questionId: 'q', id: 'i', type: 'text', text: '?' } })
  const waiting = await begin()
  await ok(`POST ${waiting}/messages`, { text: 'waits' })
  await waitForEvents(2)
  await vi.waitFor(async () => expect((await ok(`GET ${waiting}`)).deliveries[0].status).toBe('acknowledged'))
  const { db } = service.store
  const id = waiting.split('/').at(-1) ?? ''
  await db.updateTable('conversationDeliveries').set({ status: 'pending' }).where('conversationId', '=', id).execute()
  clock.advance(6 * dayMs)
  const kept = await begin()
  clock.advance(6 * dayMs)
  await service.removeOldRuns()
  const rows = await db.selectFrom('conversations').select('id').orderBy('id').execute()
  expect(rows.map((row) => row.id)).toEqual([waiting, kept].map((path) => path.split('/').at(-1)))
  for (const table of [
    'conversationMessages',
    'conversationDeliveries',
    'conversationQuestions',
    'conversationReplies',
  ] as const) {
    const owners = await db.selectFrom(table).select('conversationId').distinct().execute()
    expect(owners.filter(({ conversationId }) => conversationId !== id)).toEqual([])
  }
})
