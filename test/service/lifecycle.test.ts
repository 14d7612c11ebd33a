import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBridge, toNodeHandler } from '@trestle/core'
import type { JsonObject } from '@trestle/protocol'
import {
  type LifecycleEngine,
  type LifecycleOutcome,
  type LifecyclePlay,
  lifecycleCases,
  runLifecycle,
} from '@trestle/testing/lifecycle'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBridgePort } from '../../packages/service/src/bridge/bridge-port.ts'
import { syncBridge } from '../../packages/service/src/bridge/sync-bridge.ts'
import { parseObject } from '../../packages/service/src/engine/base/parse-json.ts'
import { createTestChannels } from '../../packages/service/src/engine/channels.fixture.ts'
import { createTestEngine, type TestEngine } from '../../packages/service/src/engine/engine.fixture.ts'
import type { MessageRow } from '../../packages/service/src/store/schema/message.ts'
import { bothDrivers } from '../../packages/service/src/store/stores.fixture.ts'
import { isNightly } from '../scope.ts'

const settings = { policy: 'off' } as const
const longMs = 20 * 366 * 86_400_000

const forms = ['listed', 'run-driven'] as const
const all = bothDrivers.flatMap((driver) => forms.map((form) => [driver, form] as const))
const scenes = all.filter(([driver, form]) => isNightly || driver === 'sqlite' || form === 'run-driven')

describe.each(scenes)('on %s, %s', (driver, service) => {
  const ends: (() => unknown)[] = []
  let lifecycle: LifecycleEngine | undefined
  let why = ''

  beforeAll(async () => {
    let handler: RequestListener = () => undefined
    const server = createServer((request, response) => handler(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ends.push(() => server.close())
    const bridgeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    let results: LifecyclePlay['results'] = {}
    const channels = createTestChannels({ patch: ({ job }) => toSeen(results[job.stepId]) })
    const skip = (note?: string) => {
      why = note ?? 'skipped'
      throw new Error(why)
    }
    const context = { onTestFinished: (end: () => unknown) => ends.unshift(end), skip }
    const testEngine = await createTestEngine(driver, context as never, {
      bridge: createBridgePort(settings),
      channels,
      bridgeUrl,
    }).catch((error) => {
      if (why === '') throw error
    })
    if (!testEngine) return
    let count = 0
    lifecycle = {
      service,
      async play(play) {
        results = play.results
        const logger = { warn: () => undefined, error: () => undefined }
        handler = toNodeHandler(createBridge({ workflows: [play.workflow], strictAuthentication: false, logger }))
        return playThrough(testEngine, play, { to: `subscriber-${count++}`, isListed: service === 'listed' })
      },
    }
  }, 120_000)

  afterAll(async () => {
    for (const end of ends) await end()
  })

  test.each(lifecycleCases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    if (!lifecycle) return expect(why).not.toBe('')
    expect(await runLifecycle(lifecycle, [one])).toEqual([{ name: one.name, fault: undefined }])
  })
})

interface Played {
  readonly to: string
  readonly isListed: boolean
}

async function playThrough(
  testEngine: TestEngine,
  play: LifecyclePlay,
  { to, isListed }: Played,
): Promise<readonly LifecycleOutcome[]> {
  const { clock, store, target } = testEngine
  const { workflow, triggers, nowMs } = play
  clock.advance(nowMs - clock.now())
  await syncBridge({ store, clock, settings }, target, target.bridgeUrl ?? '')
  if (isListed) await store.db.updateTable('workflows').set({ next: 0 }).execute()
  const order = triggers.map(({ payload, afterMs = 0 }, index) => ({ payload, atMs: nowMs + afterMs, index }))
  const ids: string[] = []
  for (const { payload, atMs, index } of order.toSorted((left, right) => left.atMs - right.atMs)) {
    // A wait that ends exactly at the time of a trigger ends after the trigger.
    if (atMs - 1 > clock.now()) await testEngine.advanceTo(atMs - 1)
    clock.advance(atMs - clock.now())
    const result = await testEngine.trigger({ name: workflow.id, to, payload })
    ids[index] = result?.transactionId ?? ''
    await testEngine.drain()
  }
  await testEngine.advanceTo(nowMs + longMs)
  return Promise.all(ids.map((id) => toOutcome(testEngine, id, nowMs)))
}

async function toOutcome({ store }: TestEngine, transactionId: string, nowMs: number): Promise<LifecycleOutcome> {
  const run = await store.db
    .selectFrom('runs')
    .selectAll()
    .where('transactionId', '=', transactionId)
    .executeTakeFirstOrThrow()
  const jobs = await store.db.selectFrom('jobs').selectAll().where('runId', '=', run.id).orderBy('position').execute()
  const messages = await store.db.selectFrom('messages').selectAll().where('runId', '=', run.id).execute()
  return {
    status: run.status,
    steps: jobs.map(({ id, stepId, type, status, result, calledAt, endedAt }) => {
      const message = messages.find((row) => row.jobId === id)
      return {
        stepId,
        status,
        result: type === 'in_app' && message ? toRead(message) : parseObject(result),
        calledAfterMs: calledAt === null ? null : calledAt - nowMs,
        endedAfterMs: (endedAt ?? Number.NaN) - nowMs,
      }
    }),
  }
}

function toSeen(result: JsonObject | undefined): Partial<MessageRow> {
  if (!result) return {}
  const toMs = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : null)
  const { seen, read, lastSeenDate, lastReadDate } = result
  return { seen: seen ? 1 : 0, read: read ? 1 : 0, lastSeenAt: toMs(lastSeenDate), lastReadAt: toMs(lastReadDate) }
}

function toRead({ seen, read, lastSeenAt, lastReadAt }: MessageRow): JsonObject {
  const toDate = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString())
  return { seen: seen === 1, read: read === 1, lastSeenDate: toDate(lastSeenAt), lastReadDate: toDate(lastReadAt) }
}
