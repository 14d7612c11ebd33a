import { createRequire } from 'node:module'
import { storeWorkflows } from '../../packages/service/dist/bridge/workflows/store-workflows.js'
import { systemClock } from '../../packages/service/dist/clock/clock.js'
import { createEngine } from '../../packages/service/dist/engine/engine.js'
import { createQueue } from '../../packages/service/dist/queue/create-queue.js'
import { migrate } from '../../packages/service/dist/store/migrate.js'
import { openStore } from '../../packages/service/dist/store/open-store.js'

const schema = { schema: {} }
const reply = { outputs: { n: 1 }, providers: {}, options: { skip: false }, metadata: {} }
const record = { url: 'fake', request: {}, reply: {}, status: 200, durationMs: 0, attempts: [] }

/** Creates the engine as the service does, on a separate database, with a bridge that responds immediately. */
export async function openEngine(address) {
  const store = openStore(address)
  await migrate(store)
  const innerQueue = createQueue(store)
  let acceptances = 0
  const addWith = (...args) => {
    acceptances++
    return innerQueue.addWith(...args)
  }
  const queue = { ...innerQueue, addWith }
  const steps = [0, 1, 2].map((index) => ({
    stepId: `s${index}`,
    type: 'custom',
    controls: schema,
    outputs: schema,
    results: schema,
    providers: [],
    options: {},
    conditional: false,
    parallelGroup: index,
  }))
  const manifest = {
    workflowId: 'w',
    tags: [],
    severity: 'none',
    preferences: {},
    payload: schema,
    controls: schema,
    env: schema,
    steps,
  }
  await store.transaction((tx) => storeWorkflows(tx, [manifest], { environmentId: 'e', nowMs: 1 }))
  const engine = createEngine({
    store,
    queue,
    clock: systemClock,
    bridge: { callStep: async () => ({ reply, record }) },
    channels: {
      store: () => Promise.reject(new Error('no messages')),
      send: () => Promise.reject(new Error('no messages')),
    },
    loadTarget: async () => ({
      environmentId: 'e',
      name: 'Development',
      type: 'dev',
      secretKey: 'k',
      bridgeUrl: null,
      variables: {},
      secrets: [],
    }),
    logger: { warn: () => undefined, error: console.error },
  })
  let count = 0
  return {
    store,
    queue,
    engine,
    /** The number of transactions in which triggers were stored. */
    transactions: () => acceptances,
    accept: () =>
      engine.accept({
        environmentId: 'e',
        kind: 'single',
        requests: [{ name: 'w', to: `t${Date.now()}-${count++}`, payload: {} }],
      }),
    async close() {
      await queue.close()
      await store.close()
    },
  }
}

/** The number of rows per table. */
export async function countRows({ db }, tables) {
  const counts = {}
  for (const table of tables) {
    const { rows } = await db.executeQuery(
      createRequire(new URL('../../packages/service/package.json', import.meta.url))('kysely').CompiledQuery.raw(
        `select count(*) as "count" from "${table}"`,
      ),
    )
    counts[table] = Number(rows[0].count)
  }
  return counts
}
