import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { expectNothingLost, loadWith, type Scene, settle, setUp } from './crash-scene.ts'
import { openProxy } from './database-proxy.ts'
import type { ServiceProcess } from './service-process.ts'
import { type ReceivedText, startTextProvider } from './text-provider.ts'

// Three services on one PostgreSQL under 70 % of the load that they can handle: triggers of all kinds, topics, and lists.
// One of them is killed every minute, and the database is unavailable once.

const minutes = Number(process.env['LOAD_MINUTES'] ?? 60)
const shareOfCapacity = 0.7
const measuredMs = 20_000
const killEveryMs = 60_000
const topicEveryMs = 30_000
const topicSize = 200
const outageMs = 20_000
const sampleMs = 5_000
const secretKey = 'sk_development_0123456789'
const headers = { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json' }
const lists = ['/v1/notifications', '/v1/messages', '/v2/subscribers', '/v1/notifications?search=t1', '/v2/workflows']

/** A time in which calls may be cut off. */
interface Disruption {
  readonly fromMs: number
  readonly untilMs: number
}

async function call(service: ServiceProcess, method: 'GET' | 'POST', path: string, body?: object): Promise<number> {
  const response = await fetch(service.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  await response.arrayBuffer()
  return response.status
}

async function prepare(service: ServiceProcess, integration: object): Promise<void> {
  expect(await call(service, 'POST', '/v1/integrations', integration)).toBe(201)
  const ids = Array.from({ length: topicSize }, (_, index) => `member-${index}`)
  for (let at = 0; at < topicSize; at += 100) {
    const some = ids.slice(at, at + 100)
    const subscribers = some.map((subscriberId) => ({ subscriberId, email: `${subscriberId}@example.com` }))
    expect(await call(service, 'POST', '/v1/subscribers/bulk', { subscribers })).toBe(201)
    expect(await call(service, 'POST', '/v2/topics/all/subscriptions', { subscriptions: some })).toBe(201)
  }
}

/** Repeats work until it is stopped. */
function repeatedly(everyMs: number, work: (count: number) => Promise<void>): () => Promise<void> {
  let stopped = false
  const running = (async () => {
    for (let count = 0; !stopped; count++) {
      await work(count)
      for (let waitedMs = 0; waitedMs < everyMs && !stopped; waitedMs += 100) await pause(Math.min(100, everyMs))
    }
  })()
  return () => {
    stopped = true
    return running
  }
}

/** Returns a service that answers triggers with nothing, instead of an error, while its database is unavailable. */
function tolerant(service: ServiceProcess): ServiceProcess {
  return {
    ...service,
    accept: (batch) =>
      service.accept(batch).catch((error: unknown) => {
        if (String(error).includes('UnreachableStoreError')) return undefined
        throw error
      }),
  }
}

async function countEnded({ store }: Scene): Promise<number> {
  const { count } = await store.db
    .selectFrom('runs')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('status', '!=', 'running')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns how many runs the services complete per second. */
async function measure(scene: Scene, living: () => readonly ServiceProcess[]): Promise<number> {
  const stop = loadWith(scene, living, () => 0)
  await pause(measuredMs / 4)
  const before = await countEnded(scene)
  await pause(measuredMs)
  const perSecond = ((await countEnded(scene)) - before) / (measuredMs / 1000)
  await stop()
  await settle(scene)
  return perSecond
}

/** A text message, or a call of a handler with the process that made it. */
interface Seen extends ReceivedText {
  readonly from?: string
}

/** Returns those that happened again although nothing was disrupted in between, with their times and processes. */
function findRepeated(seen: readonly Seen[], disruptions: readonly Disruption[]): readonly string[] {
  const lastOf = new Map<string, Seen>()
  const repeated: string[] = []
  const show = ({ atMs, from = '' }: Seen): string => `${new Date(atMs).toISOString()} by ${from}`
  for (const one of seen.toSorted((left, right) => left.atMs - right.atMs)) {
    const last = lastOf.get(one.key)
    lastOf.set(one.key, one)
    if (last === undefined) continue
    if (!disruptions.some(({ fromMs, untilMs }) => last.atMs <= untilMs && fromMs <= one.atMs))
      repeated.push(`${one.key}: ${show(last)}, ${show(one)}`)
  }
  return repeated
}

function countAgain(seen: readonly Seen[]): number {
  return seen.length - new Set(seen.map(({ key }) => key)).size
}

interface Usage {
  readonly megabytes: number
  readonly handles: number
}

function readUsage({ pid }: ServiceProcess): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return {
    megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
  }
}

/** Returns the median of the second and of the last quarter, because the first warms up. */
function toQuarters(values: readonly number[]): readonly [second: number, last: number] {
  const quarter = Math.floor(values.length / 4)
  const median = (some: readonly number[]) =>
    some.toSorted((one, other) => one - other)[Math.floor(some.length / 2)] ?? 0
  return [median(values.slice(quarter, 2 * quarter)), median(values.slice(-quarter))]
}

test('mixed load, kills and an outage of the database lose and repeat nothing', {
  // If other tests leave less of the machine than while the capacity was measured, the rest takes longer. It has its own
  // limit: it must make progress.
  timeout: (3 * minutes + 20) * 60_000,
}, async (context) => {
  const scene = await setUp('postgres', 'led', context, { secretKeys: { Development: secretKey } })
  const provider = await startTextProvider(context, (response) => setTimeout(() => response.end('{}'), 20))
  const proxy = await openProxy(scene.address.databaseUrl ?? '', context)
  const start = () => scene.start({ databaseUrl: proxy.url })
  // Is never killed, so that its memory can be compared.
  const lasting = await start()
  let living = [lasting, await start(), await start()]
  await prepare(lasting, provider.integration)
  const capacity = await measure(scene, () => living)

  const disruptions: Disruption[] = []
  const refused: { readonly path: string; readonly status: number; readonly atMs: number }[] = []
  const usage: Usage[] = []
  // Each trigger has its time, so that slow responses do not reduce the load.
  let dueMs = Date.now()
  const stops = [
    loadWith(
      scene,
      () => living.map(tolerant),
      () => {
        dueMs = Math.max(dueMs + 1000 / (shareOfCapacity * capacity), Date.now() - 1000)
        return Math.max(0, dueMs - Date.now())
      },
    ),
    repeatedly(200, async (count) => {
      const path = lists[count % lists.length] ?? ''
      const one = living[count % living.length]
      const status = one ? await call(one, 'GET', path).catch(() => 0) : 0
      if (status !== 200) refused.push({ path, status, atMs: Date.now() })
    }),
    repeatedly(topicEveryMs, async (count) => {
      const transactionId = `topic-${count}`
      scene.runCounts.set(transactionId, topicSize)
      const to = [{ type: 'Topic', topicKey: 'all' }]
      const body = { name: 'plain', to, payload: {}, transactionId }
      const one = living[count % living.length]
      if (one && (await call(one, 'POST', '/v1/events/trigger', body).catch(() => 0)) === 201)
        scene.accepted.add(transactionId)
    }),
    repeatedly(sampleMs, async () => void usage.push(readUsage(lasting))),
  ]
  const endMs = Date.now() + minutes * 60_000
  const outageAtMs = Date.now() + minutes * 30_000
  let hadOutage = false
  while (Date.now() < endMs) {
    await pause(Math.min(killEveryMs, (minutes * 60_000) / 4))
    const [first = lasting, ...rest] = living.filter((one) => one !== lasting)
    living = [lasting, ...rest]
    const fromMs = Date.now()
    await first.kill()
    living = [lasting, ...rest, await start()]
    disruptions.push({ fromMs, untilMs: Date.now() })
    if (hadOutage || Date.now() < outageAtMs) continue
    hadOutage = true
    const cutMs = Date.now()
    proxy.cut()
    await pause(outageMs)
    proxy.restore()
    // Results that could not be stored are stored again for up to a minute.
    disruptions.push({ fromMs: cutMs, untilMs: Date.now() + 60_000 })
  }
  for (const stop of stops) await stop()
  await settle(scene)

  const calls = scene.bridge.calls.map(({ jobId, atMs, from }) => ({ key: jobId, atMs, from }))
  const megabytes = toQuarters(usage.map((one) => one.megabytes))
  const handles = toQuarters(usage.map((one) => one.handles))
  const summary = {
    minutes,
    capacity: `${capacity.toFixed(1)} runs/s`,
    runs: await countEnded(scene),
    kills: disruptions.length - 1,
    callsAgain: `${countAgain(calls)} of ${calls.length}`,
    textsAgain: `${countAgain(provider.texts)} of ${provider.texts.length}`,
    listsRefused: refused.length,
    megabytes,
    handles,
  }
  process.stdout.write(`${JSON.stringify(summary)}\n`)
  await expectNothingLost(scene)
  expect(hadOutage).toBe(true)
  expect(findRepeated(calls, disruptions)).toEqual([])
  expect(findRepeated(provider.texts, disruptions)).toEqual([])
  const { count } = await scene.store.db
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('channel', '=', 'sms')
    .where('status', '=', 'sent')
    .executeTakeFirstOrThrow()
  expect(new Set(provider.texts.map(({ key }) => key)).size).toBe(Number(count))
  const isDisrupted = (atMs: number) => disruptions.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs <= untilMs)
  expect(refused.filter(({ atMs }) => !isDisrupted(atMs))).toEqual([])
  expect(megabytes[1], 'megabytes of a service').toBeLessThan(megabytes[0] * 1.3 + 20)
  // Idle connections to the bridge are kept for a while.
  expect(handles[1], 'open files and sockets of a service').toBeLessThan(handles[0] * 1.3 + 50)
})
