import { createRequire } from 'node:module'

const { CompiledQuery } = createRequire(new URL('../../packages/service/package.json', import.meta.url))('kysely')
const steps = 100_000

/** Adds finished runs with their triggers, subscribers, steps and history, until the required number exists. */
export async function fillRows({ db, driver }, target, { environmentId = 'e', atMs = 1 } = {}) {
  const run = (sql) => db.executeQuery(CompiledQuery.raw(sql))
  const { rows } = await run('select count(*) as "count" from "runs"')
  for (let from = Number(rows[0].count); from < target; from += steps) {
    const to = Math.min(from + steps, target)
    const n = driver === 'postgres' ? `generate_series(${from}, ${to - 1}) as g(n)` : `g`
    const withN =
      driver === 'postgres'
        ? ''
        : `with recursive g(n) as (select ${from} union all select n + 1 from g where n < ${to - 1})`
    const id = (letter) =>
      driver === 'postgres' ? `'${letter}' || lpad(n::text, 23, '0')` : `'${letter}' || printf('%023d', n)`
    const text = driver === 'postgres' ? 'n::text' : 'n'
    const insert = (table, columns) => {
      const names = Object.keys(columns).map((name) => `"${name}"`)
      // SQLite requires the insert before the select of the common table expression.
      return run(
        `insert into "${table}" (${names.join(', ')}) ${withN} select ${Object.values(columns).join(', ')} from ${n}`,
      )
    }
    const none = 'null'
    const times = { createdAt: `${atMs}`, updatedAt: `${atMs}` }
    await insert('triggers', {
      id: id('a'),
      environmentId: `'${environmentId}'`,
      transactionId: `'x' || ${text}`,
      workflowIdentifier: "'w'",
      kind: "'single'",
      body: "'{}'",
      status: "'done'",
      error: none,
      cursor: none,
      ...times,
    })
    await insert('subscribers', {
      id: id('b'),
      environmentId: `'${environmentId}'`,
      subscriberId: `'x' || ${text}`,
      channels: "'[]'",
      ...times,
    })
    await insert('runs', {
      id: id('c'),
      environmentId: `'${environmentId}'`,
      triggerId: id('a'),
      transactionId: `'x' || ${text}`,
      workflowId: "'w'",
      workflowIdentifier: "'w'",
      subscriberId: id('b'),
      externalSubscriberId: `'x' || ${text}`,
      status: "'completed'",
      payload: "'{}'",
      overrides: "'{}'",
      contextKeys: "'[]'",
      topics: "'[]'",
      recipient: "'{}'",
      tags: "'[]'",
      channels: "'[]'",
      severity: "'none'",
      critical: '0',
      controls: "'{}'",
      sequence: '1',
      ...times,
      finishedAt: '1',
    })
    await insert('jobs', {
      id: id('d'),
      environmentId: `'${environmentId}'`,
      runId: id('c'),
      position: '0',
      stepId: "'s'",
      type: "'custom'",
      wave: '0',
      step: "'{}'",
      status: "'completed'",
      scheduleExtensions: '0',
      ...times,
    })
    await insert('executionDetails', {
      id: id('0'),
      environmentId: `'${environmentId}'`,
      runId: id('c'),
      jobId: id('d'),
      status: "'Success'",
      detail: "'Step created'",
      source: "'Internal'",
      isTest: '0',
      isRetry: '0',
      createdAt: '1',
    })
  }
  // Writes must be flushed before the measurement.
  for (const sql of driver === 'postgres' ? ['vacuum analyze', 'checkpoint'] : ['pragma wal_checkpoint(truncate)'])
    await run(sql)
}
