import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger, makeWorkerUtils, run as runWorker } from 'graphile-worker'
import pg from 'pg'
import PgBoss from 'pg-boss'
import { createQueue } from '../../packages/service/dist/queue/create-queue.js'
import { migrate } from '../../packages/service/dist/store/migrate.js'
import { openStore } from '../../packages/service/dist/store/open-store.js'

// Empty jobs: compares the service's queue with graphile-worker and pg-boss, each through its public interface, on the
// same database one after the other. Ten callers add one job at a time; ten jobs run concurrently.

const { address, quick } = JSON.parse(process.argv[2])
const jobs = quick ? 500 : 3000
const rounds = quick ? 1 : 3
const callers = 10
const concurrency = 10
const ticksPerSecond = 100
const tell = (figure) => process.stdout.write(`${JSON.stringify(figure)}\n`)
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
const pool = new pg.Pool({ connectionString: address.databaseUrl, max: 10 })
pool.on('error', () => undefined)
pool.on('connect', (client) => client.on('error', () => undefined))

const subjects = [
  { name: 'the queue', open: openOwn },
  { name: 'graphile-worker', open: openGraphile },
  { name: 'pg-boss', open: openBoss },
]
const results = new Map(subjects.map(({ name }) => [name, []]))
// The first round warms up.
for (let round = 0; round <= rounds; round++)
  for (const { name, open } of subjects) {
    const figures = await measure(await open())
    if (round > 0) results.get(name).push(figures)
  }
for (const [name, figures] of results) {
  const of = (key) => median(figures.map((one) => one[key]))
  tell({
    ...{ name: `plain jobs of ${name}`, jobsPerSecond: of('perSecond'), waitMs: of('waitMs') },
    ...{ cpuMs: of('cpuMs'), databaseCpuMs: of('databaseCpuMs') },
  })
}
await pool.end()
process.exit(0)

/** Adds jobs while they are processed, until all are done. */
async function measure({ add, start, stop }) {
  const addedMs = []
  const waits = []
  const done = Promise.withResolvers?.() ?? withResolvers()
  await start((index) => {
    waits.push(performance.now() - addedMs[index])
    if (waits.length === jobs) done.resolve()
  })
  await pause(300)
  const before = { ms: performance.now(), cpu: process.cpuUsage(), database: await databaseTicks() }
  let next = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < jobs) {
        const index = next++
        addedMs[index] = performance.now()
        await add(index)
      }
    }),
  )
  await done.promise
  const ms = performance.now() - before.ms
  // The last jobs are removed after their handlers have ended.
  await pause(300)
  const { user, system } = process.cpuUsage(before.cpu)
  const ticks = (await databaseTicks()) - before.database
  await stop()
  const databaseCpuMs = (ticks * 1000) / ticksPerSecond / jobs
  return { perSecond: (jobs * 1000) / ms, waitMs: median(waits), cpuMs: (user + system) / 1000 / jobs, databaseCpuMs }
}

function withResolvers() {
  const deferred = {}
  deferred.promise = new Promise((resolve) => {
    deferred.resolve = resolve
  })
  return deferred
}

async function openOwn() {
  const store = openStore(address)
  await migrate(store)
  const queue = createQueue(store)
  let worker
  return {
    add: (index) => store.transaction((tx) => queue.add(tx, [{ kind: 'plain', id: String(index), lane: 'plain' }])),
    async start(done) {
      worker = queue.work(async ({ id }) => done(Number(id)), { concurrency })
    },
    async stop() {
      await worker.stop(1000)
      await queue.close()
      await store.close()
    },
  }
}

async function openGraphile() {
  const logger = new Logger(() => () => undefined)
  const utils = await makeWorkerUtils({ pgPool: pool, logger })
  await utils.migrate()
  let runner
  return {
    add: (index) => utils.addJob('plain', { index }),
    async start(done) {
      const taskList = { plain: async ({ index }) => done(index) }
      runner = await runWorker({ pgPool: pool, logger, concurrency, noHandleSignals: true, taskList })
    },
    async stop() {
      await runner.stop()
      await utils.release()
    },
  }
}

async function openBoss() {
  const boss = new PgBoss({ connectionString: address.databaseUrl, max: 10, schedule: false })
  boss.on('error', () => undefined)
  await boss.start()
  await boss.createQueue('plain')
  return {
    add: (index) => boss.send('plain', { index }),
    start: (done) =>
      boss.work('plain', { batchSize: concurrency, pollingIntervalSeconds: 0.5 }, async (taken) => {
        for (const { data } of taken) done(data.index)
      }),
    stop: () => boss.stop({ graceful: false, wait: true }),
  }
}

/** Returns the server's processor time, including that of ended processes. */
async function databaseTicks() {
  const { rows } = await pool.query('select pg_backend_pid() as pid')
  const read = (pid) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
        .map(Number)
    } catch {
      return undefined
    }
  }
  const server = read(rows[0].pid)?.[1]
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = read(pid)
    if (fields?.[1] === server) ticks += fields[11] + fields[12]
  }
  const [utime, stime, childUtime, childStime] = read(server)?.slice(11, 15) ?? [0, 0, 0, 0]
  return ticks + utime + stime + childUtime + childStime
}
