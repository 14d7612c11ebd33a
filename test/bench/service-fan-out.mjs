import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openStore } from '../../packages/service/dist/store/open-store.js'
import { sql } from './service-sql.mjs'

// One trigger for a topic with many recipients: runs per second, processor time per run, and memory. Then another one for
// a smaller topic, and how long triggers of another workflow wait meanwhile. Services and app are separate processes;
// processor time is read from /proc.

const { address, folder, recipients, triggers, trials = 5, profile, processes = 1 } = JSON.parse(process.argv[2])
const secretKey = 'sk_benchmark_0123456789'
const tell = (name, text) => process.stdout.write(`${JSON.stringify({ name, text })}\n`)
const start = (file, env, flags = []) => {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [...flags, path], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    child.once('message', ({ ready }) => resolve({ child, url: ready }))
    child.once('exit', () => reject(new Error(`${file} did not start`)))
  })
}

const app = await start('service-app.mjs', { SERVICE_SECRET_KEY: secretKey })
const options = { port: 0, logLevel: 'silent', dataFolder: folder, databaseFile: address.databaseFile }
const startService = () =>
  start(
    '../service/service-process.mjs',
    {
      DATABASE_URL: address.databaseUrl ?? '',
      SERVICE_OPTIONS: JSON.stringify({ ...options, secretKeys: { Development: secretKey } }),
    },
    profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [],
  )
// One after another, because the first creates the tables.
const services = []
for (let index = 0; index < processes; index++) services.push(await startService())
const [service] = services
const call = async (method, path, body) => {
  const answer = await fetch(service.url + path, {
    method,
    headers: { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}
await call('POST', '/v1/bridge/sync', { bridgeUrl: app.url })
await call('POST', '/v2/topics', { key: 'all', name: 'All' })
await call('POST', '/v2/topics', { key: 'some', name: 'Some' })
await call('POST', '/v2/subscribers', { subscriberId: 'reader' })
const store = openStore(address)
const [{ id: environmentId }] = await sql(store, `select "id" from "environments" where "name" = 'Development'`)
const someRecipients = Math.min(recipients, 10_000)
await addSubscribers()
await fillTopic('all', recipients)
await fillTopic('some', someRecipients)

for (const callers of triggers ? [1, 10, 50] : []) await tellLatency(callers)

const idle = []
for (let trial = 0; trial < trials; trial++) idle.push(await passOnce('reset', 2))
const idleMs = at(idle, 0.5)
const before = usage()
const eachBefore = services.map(({ child }) => cpuMs(child.pid))
let peakMb = 0
const startMs = performance.now()
await fanOut('all')
while ((await countDone('all')) < recipients) {
  await pause(100)
  peakMb = Math.max(peakMb, memoryMb(service.child.pid))
}
const seconds = (performance.now() - startMs) / 1000
const after = usage()
const duringFanOut = []
const besideStartMs = performance.now()
await fanOut('some')
for (let done = 0; done < someRecipients; ) {
  const doneBefore = await countDone('some')
  const ms = await passOnce('reset', 2)
  done = await countDone('some')
  if (done < someRecipients) duringFanOut.push({ ms, runs: done - doneBefore })
}
const besideSeconds = (performance.now() - besideStartMs) / 1000
const perRun = (name) => `${((after[name] - before[name]) / recipients).toFixed(1)} ms a run`
const of = processes > 1 ? `, ${processes} processes` : ''
tell(`topic of ${recipients}${of}`, `${Math.round(recipients / seconds)} runs/s`)
tell(`processor time of the service${of}`, perRun('service'))
if (processes > 1) tell('shares of the processes', sharesOf(eachBefore).join(', '))
if (address.databaseUrl) tell('processor time of PostgreSQL', perRun('postgres'))
tell('processor time of the app', perRun('app'))
tell('memory of the service, at most', `${Math.round(peakMb)} MB`)
tell('two-step trigger of another workflow', `${idleMs.toFixed(0)} ms`)
if (duringFanOut.length > 0) {
  const times = duringFanOut.map(({ ms }) => ms)
  const percentiles = [0.5, 0.99].map((share) => `${at(times, share).toFixed(0)} ms`)
  tell(`the same during a topic of ${someRecipients}, p50, p99`, percentiles.join(', '))
  tell('the topic meanwhile', `${Math.round(someRecipients / besideSeconds)} runs/s`)
  tell(
    'runs of the topic that end meanwhile, p50',
    String(
      at(
        duringFanOut.map(({ runs }) => runs),
        0.5,
      ),
    ),
  )
}
await store.close()
const ended = services.map(({ child }) => new Promise((resolve) => child.once('exit', resolve)))
for (const { child } of [...services, app]) child.disconnect()
await Promise.all(ended)
process.exit(0)

function at(values, share) {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length * share)]
}

/** The time from a trigger until its last message is stored, in milliseconds. */
async function passOnce(name, messages) {
  const transactionId = `${name}-${Math.random()}`
  const fromMs = performance.now()
  await call('POST', '/v1/events/trigger', { name, to: 'reader', transactionId })
  for (;;) {
    const where = `"environmentId" = '${environmentId}' and "transactionId" = '${transactionId}'`
    const [{ count }] = await sql(store, `select count(*) as "count" from "messages" where ${where}`)
    if (Number(count) === messages) return performance.now() - fromMs
    await pause(5)
  }
}

async function tellLatency(callers) {
  const times = []
  let left = triggers
  const before = usage()
  const startMs = performance.now()
  const one = async () => {
    while (left-- > 0) times.push(await passOnce('reset', 2))
  }
  await Promise.all(Array.from({ length: callers }, one))
  const perSecond = Math.round((2000 * triggers) / (performance.now() - startMs))
  const ms = ((usage().service - before.service) / triggers / 2).toFixed(1)
  const [p50, p99] = [0.5, 0.99].map((share) => `${at(times, share).toFixed(0)} ms`)
  tell(`trigger to message, ${callers} callers, p50, p99`, `${p50}, ${p99}; ${perSecond} steps/s, ${ms} ms each`)
}

function fanOut(topicKey) {
  const to = [{ type: 'Topic', topicKey }]
  return call('POST', '/v1/events/trigger', { name: 'news', to, transactionId: topicKey })
}

async function countDone(transactionId) {
  const where = `"environmentId" = '${environmentId}' and "transactionId" = '${transactionId}'`
  const [{ count }] = await sql(store, `select count(*) as "count" from "messages" where ${where}`)
  return Number(count)
}

/** Returns the parts of a statement that inserts this number of rows. */
function rowsOf(count) {
  const isPostgres = store.driver === 'postgres'
  return {
    id: isPostgres ? `'b' || lpad(n::text, 23, '0')` : `'b' || printf('%023d', n)`,
    text: isPostgres ? 'n::text' : 'n',
    from: isPostgres ? `generate_series(1, ${count}) as g(n)` : 'g',
    withN: isPostgres ? '' : `with recursive g(n) as (select 1 union all select n + 1 from g where n < ${count})`,
  }
}

function addSubscribers() {
  const { id, text, from, withN } = rowsOf(recipients)
  return sql(
    store,
    `insert into "subscribers" ("id", "environmentId", "subscriberId", "channels", "createdAt", "updatedAt") ${withN}
      select ${id}, '${environmentId}', 'x' || ${text}, '[]', 1, 1 from ${from}`,
  )
}

/** Subscribes the first subscribers to a topic. */
async function fillTopic(key, count) {
  const { id, text, from, withN } = rowsOf(count)
  await call('POST', `/v2/topics/${key}/subscriptions`, { subscriptions: ['reader'] })
  const [model] = await sql(
    store,
    `select * from "topicSubscriptions" where "topicId" = (select "id" from "topics" where "key" = '${key}')`,
  )
  const names = Object.keys(model)
  const own = { id: `'${key}' || ${id}`, subscriberId: id, identifier: `'${key}' || ${text}` }
  const values = names.map((name) => own[name] ?? literal(model[name]))
  await sql(store, `delete from "topicSubscriptions" where "topicId" = '${model.topicId}'`)
  await sql(
    store,
    `insert into "topicSubscriptions" (${names.map((name) => `"${name}"`).join()}) ${withN} select ${values.join()} from ${from}`,
  )
}

function literal(value) {
  if (value === null) return 'null'
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}

/** Returns the processor time used so far, in milliseconds. */
function usage() {
  const serviceMs = services.reduce((ms, { child }) => ms + cpuMs(child.pid), 0)
  const sum = { service: serviceMs, app: cpuMs(app.child.pid), postgres: 0 }
  if (!address.databaseUrl) return sum
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    if (pid === address.postgresPid || parentOf(pid) === address.postgresPid) sum.postgres += cpuMs(pid)
  // Excludes connections that have been closed since.
  const [ended, endedSystem] = statOf(address.postgresPid).slice(13)
  sum.postgres += 10 * (Number(ended ?? 0) + Number(endedSystem ?? 0))
  return sum
}

/** Returns each process's part of their processor time since then. */
function sharesOf(eachBefore) {
  const each = services.map(({ child }, index) => cpuMs(child.pid) - eachBefore[index])
  const sum = each.reduce((total, ms) => total + ms, 0)
  return each.map((ms) => `${Math.round((100 * ms) / sum)} %`)
}

function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  } catch {
    return []
  }
}

/** The kernel counts in hundredths of a second. */
function cpuMs(pid) {
  const stat = statOf(pid)
  return 10 * (Number(stat[11] ?? 0) + Number(stat[12] ?? 0))
}

function parentOf(pid) {
  return statOf(pid)[1]
}

function memoryMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
