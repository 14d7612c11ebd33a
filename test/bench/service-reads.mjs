import { readFileSync } from 'node:fs'
import { startService } from '../../packages/service/dist/index.js'
import { openStore } from '../../packages/service/dist/store/open-store.js'
import { fillRows } from './service-rows.mjs'
import { sql } from './service-sql.mjs'

// Measures for how long a list blocks the service, depending on the number of stored runs: the longest turn of the
// event loop in processor time of the main thread, which is independent of other processes.

const { address, folder, stored } = JSON.parse(process.argv[2])
const secretKey = 'sk_benchmark_0123456789'
const paths = [
  '/v1/notifications/graph/stats?days=366',
  '/v1/notifications/stats',
  '/v1/notifications?limit=100&page=1000',
  '/v1/notifications?search=nothing',
  '/v1/studio/runs',
  '/v1/studio/runs?orderBy=createdAt',
  '/v1/studio/runs?search=nothing',
  '/v1/studio/runs?status=failed',
  '/v1/studio/triggers',
  '/v1/studio/outbox',
  '/v1/messages',
  '/v2/subscribers?orderBy=updatedAt',
  '/v2/subscribers?name=nobody',
]

const service = await startService({
  ...address,
  port: 0,
  logLevel: 'silent',
  work: false,
  retentionMs: 0,
  dataFolder: folder,
  secretKeys: { Development: secretKey },
})
const store = openStore(address)
const [{ id: environmentId }] = await sql(store, `select "id" from "environments" where "name" = 'Development'`)
await fillRows(store, stored, { environmentId, atMs: Date.now() })
await store.close()

const threadMs = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
for (const path of paths) {
  let [before, longest] = [threadMs(), 0]
  const timer = setInterval(() => {
    const now = threadMs()
    longest = Math.max(longest, now - before)
    before = now
  }, 1)
  const startMs = performance.now()
  const answer = await fetch(service.url + path, { headers: { authorization: `ApiKey ${secretKey}` } })
  await answer.text()
  clearInterval(timer)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
  const turnMs = Math.round(longest)
  const text = `${turnMs} ms`
  process.stdout.write(`${JSON.stringify({ name: path, text, turnMs, answeredMs: performance.now() - startMs })}\n`)
}
await service.stop()
process.exit(0)
