import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'

// A hand-written version of what the service writes for a trigger and for a run of three steps: the same rows, in the
// same database and the same number of transactions, with only the necessary statements.

const require = createRequire(new URL('../../packages/service/package.json', import.meta.url))
let count = 0

/** Creates an id. */
export const nextId = () => `f${process.pid.toString(16).padStart(7, '0')}${(count++).toString(16).padStart(16, '0')}`

// Items that are due this late are never taken.
const insertQueue = (put, items) => {
  const rest = { lane: 'lane', dueAt: 1e15, attempts: 0, processId: null, createdAt: 1 }
  return put(
    ...toInsert(
      'queueItems',
      items.map((item) => ({ ...item, ...rest })),
    ),
  )
}

const deleteQueue = (put, id) => put('delete from "queueItems" where "id" = ?', [id])

/** Opens the database of a floor. `many(size, work)` runs work concurrently if the database supports it. */
export async function openFloor({ databaseUrl, databaseFile }) {
  return databaseUrl ? openPostgres(databaseUrl) : openSqlite(databaseFile)
}

function openSqlite(file) {
  const Database = require('libsql')
  const db = new Database(file)
  for (const setting of ['busy_timeout = 10000', 'journal_mode = WAL', 'synchronous = NORMAL']) db.pragma(setting)
  const kept = new Map()
  const run = async (sql, values) => {
    if (!kept.has(sql)) kept.set(sql, db.prepare(sql))
    kept.get(sql).run(values)
  }
  const transaction = async (work) => {
    await run('begin immediate', [])
    await work(run)
    await run('commit', [])
  }
  return {
    run,
    transaction,
    insertQueue,
    deleteQueue,
    async many(size, work) {
      for (let index = 0; index < size; index++) await work(index)
    },
    close: async () => db.close(),
  }
}

async function openPostgres(url) {
  const pg = require('pg')
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  const names = new Map()
  const on = (client) => (sql, values) => {
    if (!names.has(sql)) names.set(sql, `f${names.size}`)
    let index = 0
    return client.query({ name: names.get(sql), text: sql.replaceAll('?', () => `$${++index}`), values })
  }
  return {
    run: (sql, values) => on(pool)(sql, values),
    async transaction(work) {
      const client = await pool.connect()
      await client.query('begin')
      await work(on(client))
      await client.query('commit')
      client.release()
    },
    insertQueue,
    deleteQueue,
    async many(size, work) {
      let next = 0
      const one = async () => {
        while (next < size) await work(next++)
      }
      await Promise.all(Array.from({ length: 10 }, one))
    },
    close: () => pool.end(),
  }
}

/** Returns the statement that inserts rows, and its values. */
export function toInsert(table, rows) {
  const names = Object.keys(rows[0])
  const places = rows.map(() => `(${names.map(() => '?').join(', ')})`).join(', ')
  return [
    `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values ${places}`,
    rows.flatMap((row) => Object.values(row)),
  ]
}

/** The timestamp columns that most tables have. */
export const times = { createdAt: 1, updatedAt: 1 }

/** Stores triggers and their work in one transaction. */
export async function acceptByHand(floor, size) {
  const triggers = Array.from({ length: size }, () => ({
    id: nextId(),
    queueId: randomUUID(),
    jobQueueId: randomUUID(),
  }))
  await floor.transaction(async (put) => {
    const rows = triggers.map(({ id }) => {
      const body = JSON.stringify({ to: `s${id}`, payload: {} })
      return {
        id,
        environmentId: 'e',
        transactionId: randomUUID(),
        workflowIdentifier: 'w',
        kind: 'single',
        body,
        status: 'accepted',
        error: null,
        cursor: null,
        ...times,
      }
    })
    await put(...toInsert('triggers', rows))
    await floor.insertQueue(
      put,
      triggers.map(({ id, queueId }) => ({ id: queueId, kind: 'trigger', subject: id })),
    )
  })
  return triggers
}

/** Creates the run of a trigger and executes its three steps, in seven transactions. */
export async function runByHand(floor, trigger) {
  const runId = nextId()
  const jobs = [0, 1, 2].map((position) => ({
    id: nextId(),
    position,
    queueId: randomUUID(),
    jobQueueId: randomUUID(),
  }))
  const detail = (jobId, text, raw = null) => toDetail({ runId, jobId, detail: text, raw })
  await floor.transaction(async (put) => {
    const subscriberId = nextId()
    await put(...toInsert('subscribers', [toSubscriber(subscriberId, trigger)]))
    await put(...toInsert('runs', [toRun(runId, trigger, subscriberId)]))
    await put(
      ...toInsert(
        'jobs',
        jobs.map(({ id, position }) => toJob(id, runId, position)),
      ),
    )
    await put(
      ...toInsert('executionDetails', [
        ...jobs.map(({ id }) => detail(id, 'Step created')),
        detail(jobs[0].id, 'Step queued'),
      ]),
    )
    await put('update "triggers" set "status" = ?, "updatedAt" = ? where "id" = ?', ['done', 2, trigger.id])
    await floor.insertQueue(put, [{ id: jobs[0].queueId, kind: 'job', subject: jobs[0].id }])
    await floor.deleteQueue(put, trigger.queueId)
  })
  for (const [index, job] of jobs.entries()) {
    await floor.run('update "jobs" set "status" = ?, "claim" = ?, "calledAt" = ?, "updatedAt" = ? where "id" = ?', [
      'running',
      'c',
      2,
      2,
      job.id,
    ])
    const next = jobs[index + 1]
    await floor.transaction(async (put) => {
      await put('update "runs" set "sequence" = ?, "status" = ?, "finishedAt" = ?, "updatedAt" = ? where "id" = ?', [
        index + 1,
        next ? 'running' : 'completed',
        next ? null : 2,
        2,
        runId,
      ])
      await put(
        'update "jobs" set "status" = ?, "result" = ?, "outputs" = ?, "endedAt" = ?, "completedOrder" = ?, "updatedAt" = ? where "id" = ?',
        ['completed', '{"n":1}', '{"n":1}', 2, index + 1, 2, job.id],
      )
      const lines = [
        detail(job.id, 'Successful bridge response received', '{}'),
        detail(job.id, 'Step result was stored'),
      ]
      if (next) lines.push(detail(next.id, 'Step queued'))
      await put(...toInsert('executionDetails', lines))
      await put(
        ...toInsert('bridgeCalls', [
          {
            id: nextId(),
            environmentId: 'e',
            runId,
            jobId: job.id,
            action: 'execute',
            url: 'fake',
            request: '{}',
            reply: '{}',
            status: 200,
            durationMs: 0,
            createdAt: 1,
          },
        ]),
      )
      if (next) {
        await put('update "jobs" set "status" = ?, "updatedAt" = ? where "id" = ?', ['queued', 2, next.id])
        await floor.insertQueue(put, [{ id: next.queueId, kind: 'job', subject: next.id }])
      }
      await floor.deleteQueue(put, job.queueId)
    })
  }
}

/** A history entry. */
export function toDetail(fields) {
  const rest = { messageId: null, status: 'Success', source: 'Internal', providerId: null, isTest: 0, isRetry: 0 }
  return { id: nextId(), environmentId: 'e', ...rest, ...fields, createdAt: 1 }
}

/** The recipient of a trigger. */
export function toSubscriber(id, trigger) {
  const named = {
    firstName: null,
    lastName: null,
    email: null,
    phone: null,
    avatar: null,
    locale: null,
    timezone: null,
    data: null,
    channels: '[]',
    isOnline: null,
    lastOnlineAt: null,
  }
  return { id, environmentId: 'e', subscriberId: `s${trigger.id}`, ...named, ...times }
}

/** The run of a trigger. */
export function toRun(id, trigger, subscriberId) {
  return {
    id,
    environmentId: 'e',
    triggerId: trigger.id,
    transactionId: trigger.id,
    workflowId: 'w',
    workflowIdentifier: 'w',
    subscriberId,
    externalSubscriberId: `s${trigger.id}`,
    status: 'running',
    payload: '{}',
    overrides: '{}',
    actor: null,
    tenant: null,
    context: null,
    contextKeys: '[]',
    topics: '[]',
    recipient: '{}',
    bridgeUrl: null,
    tags: '[]',
    channels: '["custom"]',
    severity: 'none',
    critical: 0,
    controls: '{}',
    digestedRunId: null,
    sequence: 0,
    ...times,
    finishedAt: null,
  }
}

/** A step of a run. */
export function toJob(id, runId, position) {
  return {
    id,
    environmentId: 'e',
    runId,
    position,
    stepId: `s${position}`,
    type: 'custom',
    parallelGroup: position,
    wave: position,
    waitsForId: null,
    claim: null,
    stage: null,
    step: '{}',
    status: position === 0 ? 'queued' : 'pending',
    result: null,
    outputs: null,
    error: null,
    providerId: null,
    bucket: null,
    mergedIntoId: null,
    dueAt: null,
    calledAt: null,
    endedAt: null,
    completedOrder: null,
    scheduleExtensions: 0,
    ...times,
  }
}
