import { workflow } from '@trestle/core'
import { type Service, startService } from '@trestle/service'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bridgeHandler, key, type Listening, listen } from './listen.ts'
import { trestleProcess } from './trestle.ts'

const count = 1000
const recipientsPerTrigger = 100
/** The recordings of all runs do not fit into the heap of the command. */
const bodyLength = 60_000
const heapMb = 64

let subject = 'News'
const news = workflow('news', async ({ step, subscriber }) => {
  const { edition } = await step.custom('load', async () => ({ edition: 7 }))
  await step.email('mail', () => ({
    subject: `${subject} ${edition}`,
    body: `<p>${subscriber.subscriberId} ${'x '.repeat(bodyLength / 2)}</p>`,
  }))
})

let bridge: Listening
let service: Service

async function call(method: string, path: string, body?: object) {
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.ok).toBe(true)
}

beforeAll(async () => {
  bridge = await listen(bridgeHandler({ workflows: [news] }))
  service = await startService({
    port: 0,
    databaseFile: ':memory:',
    encryptionKey: 'ab'.repeat(32),
    secretKeys: { Development: key },
    logLevel: 'silent',
  })
  await call('POST', '/v1/bridge/sync?source=cli', { bridgeUrl: `${bridge.origin}/api/bridge` })
  for (let at = 0; at < count; at += recipientsPerTrigger) {
    const to = Array.from({ length: recipientsPerTrigger }, (_, index) => `s${at + index}`)
    await call('POST', '/v1/events/trigger', { name: 'news', to, payload: {} })
  }
  const { db } = service.store
  const countEnded = async () => {
    const { ended } = await db
      .selectFrom('runs')
      .select(({ fn }) => fn.countAll<number>().as('ended'))
      .where('status', '=', 'completed')
      .executeTakeFirstOrThrow()
    return Number(ended)
  }
  await vi.waitFor(async () => expect(await countEnded()).toBe(count), { timeout: 300_000, interval: 200 })
}, 320_000)
afterAll(async () => {
  await service.stop()
  await bridge.stop()
})

test.each([
  ['News', { status: 0, same: count, different: 0, groups: 0 }],
  ['Old news', { status: 1, same: 0, different: count, groups: 1 }],
])('replays 1,000 runs with little memory: %s', { timeout: 300_000 }, async (changed, expected) => {
  subject = changed
  const at = ['--against', `${bridge.origin}/api/bridge`, '--api', service.url, '--key', key]
  const env = { NODE_OPTIONS: `--max-old-space-size=${heapMb}` }
  const { status, stdout, stderr } = await trestleProcess(
    ['replay', '--last', String(count), '--mask', '--json', ...at],
    { env },
  )
  expect(stderr).not.toContain('heap')
  const { runs, same, different, notComparable, groups } = JSON.parse(stdout)
  expect({ runs, notComparable }).toEqual({ runs: count, notComparable: 0 })
  expect({ status, same, different, groups: groups.length }).toEqual(expected)
})
