import { countRows, openEngine } from './service-engine.mjs'
import { acceptByHand, openFloor, runByHand } from './service-floor.mjs'
import { fillRows } from './service-rows.mjs'

// Compares the engine with its floor on one database, and prints one line of JSON per result.

const { address, quick } = JSON.parse(process.argv[2])
const tables = ['triggers', 'subscribers', 'runs', 'jobs', 'executionDetails', 'bridgeCalls']
const rounds = quick ? 5 : 11
const perRound = quick ? 100 : 300
const acceptedPerRound = quick ? 1000 : 3000
const stored = quick ? [1000, 100_000] : [1000, 1_000_000]

const benchEngine = await openEngine(address)
const floor = await openFloor(address)
const many = (size, work) => floor.many(size, work)
const timed = async (work) => {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
const median = (values) => values.toSorted((left, right) => left - right)[values.length >> 1]
const tell = (figure) => process.stdout.write(`${JSON.stringify(figure)}\n`)

async function drain() {
  while ((await benchEngine.queue.size()) > 0) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** Alternating, so that both run under the same conditions. */
async function compare(name, { service, byHand, count, before = async () => undefined }) {
  const [mine, floors, shares] = [[], [], []]
  for (let round = 0; round <= rounds; round++) {
    await before()
    const floorMs = await timed(byHand)
    await before()
    const serviceMs = await timed(service)
    // The first round warms up.
    if (round === 0) continue
    mine.push((count * 1000) / serviceMs)
    floors.push((count * 1000) / floorMs)
    shares.push(floorMs / serviceMs)
  }
  tell({ name, perSecond: median(mine), floorPerSecond: median(floors), share: median(shares) })
}

async function empty() {
  await benchEngine.store.db.deleteFrom('queueItems').execute()
  await benchEngine.store.db
    .updateTable('triggers')
    .set({ status: 'canceled' })
    .where('status', '=', 'accepted')
    .execute()
}

/** Fifty concurrent callers; each waits for its response. */
const acceptMany = async (size) => {
  let left = size
  const one = async () => {
    while (left-- > 0) await benchEngine.accept()
  }
  await Promise.all(Array.from({ length: 50 }, one))
}
// Concurrent triggers share a transaction; the floor batches as many.
const transactionsBefore = benchEngine.transactions()
await acceptMany(acceptedPerRound)
const perTransaction = acceptedPerRound / (benchEngine.transactions() - transactionsBefore)
const groups = Array.from(
  { length: Math.round(acceptedPerRound / perTransaction) },
  (_, index) => Math.round((index + 1) * perTransaction) - Math.round(index * perTransaction),
)
const byHandMany = () => many(groups.length, (index) => acceptByHand(floor, groups[index]))
tell({ name: 'triggers in one transaction, 50 callers', count: perTransaction })
const runOne = async () => {
  const [trigger] = await acceptByHand(floor, 1)
  await runByHand(floor, trigger)
}
await compare('triggers accepted', {
  count: acceptedPerRound,
  service: () => acceptMany(acceptedPerRound),
  byHand: byHandMany,
})
await empty()

// The rows must be the same, or the floor is invalid.
const worker = benchEngine.queue.work(benchEngine.engine.handle, { concurrency: 32, onError: console.error })
const before = await countRows(benchEngine.store, tables)
await acceptMany(perRound)
await drain()
const middle = await countRows(benchEngine.store, tables)
await many(perRound, runOne)
const after = await countRows(benchEngine.store, tables)
for (const table of tables)
  if (middle[table] - before[table] !== after[table] - middle[table])
    throw new Error(`the floor writes other rows of ${table}`)

await compare('steps run', {
  count: 3 * perRound,
  service: async () => {
    await acceptMany(perRound)
    await drain()
  },
  byHand: () => many(perRound, runOne),
})

const latencies = []
const floors = []
for (let index = 0; index < (quick ? 100 : 500); index++) {
  floors.push(await timed(runOne))
  latencies.push(
    await timed(async () => {
      await benchEngine.accept()
      await drain()
    }),
  )
}
const at = (values, share) => values.toSorted((left, right) => left - right)[Math.floor(values.length * share)]
for (const share of [0.5, 0.99])
  tell({ name: `a run of three steps, p${share * 100}`, ms: at(latencies, share), floorMs: at(floors, share) })
await worker.stop(1000)

const costs = []
for (const rows of stored) {
  await fillRows(benchEngine.store, rows)
  const again = benchEngine.queue.work(benchEngine.engine.handle, { concurrency: 32, onError: console.error })
  const [accepts, runs] = [[], []]
  for (let round = 0; round < 6; round++) {
    const acceptMs = await timed(() => acceptMany(perRound))
    const restMs = await timed(drain)
    // The first round warms up.
    if (round > 0) accepts.push(acceptMs / perRound)
    if (round > 0) runs.push((acceptMs + restMs) / perRound)
  }
  await again.stop(1000)
  costs.push({ rows, acceptMs: median(accepts), runMs: median(runs) })
}
const [few, lots] = costs
tell({
  name: `cost of a trigger, ${stored[1]} to ${stored[0]} rows`,
  ratio: lots.acceptMs / few.acceptMs,
  runRatio: lots.runMs / few.runMs,
})
await floor.close()
await benchEngine.close()
process.exit(0)
