// npm run bench -- --scaling: the load at which each stage of growth reaches its limit. A simulation with the processor
// times that `npm run bench -- --service` measures: runs arrive at random, use a core of a service process and a core
// of the database, and wait in line for both. Flags replace a cost or a size: --service-ms=4 --database-ms=3
// --embedded-ms=2 --database-cores=8 --cells=4 --reads=0.3.

const given = (name, standard) => {
  const flag = process.argv.find((one) => one.startsWith(`--${name}=`))
  const value = flag === undefined ? standard : Number(flag.slice(name.length + 3))
  if (!(value > 0)) throw new TypeError(`--${name} must be a positive number.`)
  return value
}

/** Milliseconds of one core for a run with one in-app step: one call to its bridge, one message. */
const cost = {
  embedded: given('embedded-ms', 2),
  service: given('service-ms', 2),
  database: given('database-ms', 1.4),
}
const databaseCores = given('database-cores', 8)
const cells = given('cells', 4)
/** The share of database time spent on lists, counts and inboxes, which replicas can serve. */
const reads = given('reads', 0.3)
const bytesPerRun = { embedded: 5400, database: 6400 }
const limitMs = 1000
const simulatedMs = 20_000
const connectionsPerProcess = 13

/** Stages of growth. `services` and `databases` are numbers of cores that work in parallel. */
const stages = [
  { name: 'one process, embedded database', services: 1, serviceMs: cost.embedded, bytes: bytesPerRun.embedded },
  { name: 'one process, PostgreSQL', services: 1, databases: databaseCores },
  { name: 'four processes, one PostgreSQL', services: 4, databases: databaseCores },
  { name: 'as many processes as one PostgreSQL carries', services: enough(1), databases: databaseCores },
  { name: 'the same, reads on replicas', services: enough(1 / (1 - reads)), databases: databaseCores, reads: 0 },
  { name: `${cells} cells of that`, services: enough(1 / (1 - reads)), databases: databaseCores, reads: 0, cells },
]

/** Returns the number of processes whose runs use all cores of one database. */
function enough(factor) {
  const perSecond = ((databaseCores * 1000 * (1 - reads)) / cost.database) * factor
  return Math.ceil((perSecond * cost.service) / 1000)
}

print('stage', 'processes', 'connections', 'runs/s', 'ends with', 'GB a day')
for (const stage of stages) {
  const { name, services, databases = 0, cells: count = 1, bytes = bytesPerRun.database } = stage
  const end = findEnd(stage)
  const connections = databases > 0 ? services * connectionsPerProcess : 0
  // Assumes peak load for a third of the day.
  const gigabytes = (end.perSecond * count * 86_400 * bytes) / 3 / 1e9
  print(name, services * count, connections, Math.floor(end.perSecond * count), end.by, gigabytes.toFixed(0))
}

function print(...cells) {
  const widths = [46, 11, 13, 9, 20, 10]
  process.stdout.write(
    `${cells.map((cell, index) => (index === 0 ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[index]))).join('')}\n`,
  )
}

/** Returns the greatest load at which 99 of 100 runs end in time, and what is busy then. */
function findEnd(stage) {
  let [low, high] = [1, 100_000]
  while (high / low > 1.02) {
    const middle = Math.sqrt(low * high)
    if (simulate(stage, middle).p99Ms < limitMs) low = middle
    else high = middle
  }
  const { service, database } = simulate(stage, low)
  return { perSecond: low, by: database > service ? 'the database' : 'the processes' }
}

/**
 * Simulates runs that pass the service queue and the database queue; returns the 99th percentile of their times, and
 * the utilization of each kind of core.
 */
function simulate({ services, databases = 0, serviceMs = cost.service, reads: share = reads }, perSecond) {
  const random = createRandom(1)
  const serviceCores = new Array(services).fill(0)
  // Database capacity used for reads is not available to runs.
  const databaseMs = databases > 0 ? cost.database / (1 - share) : 0
  const databaseLine = new Array(Math.max(1, databases)).fill(0)
  const times = []
  let atMs = 0
  while (atMs < simulatedMs) {
    atMs += (-Math.log(1 - random()) * 1000) / perSecond
    const calledMs = use(serviceCores, atMs, serviceMs)
    times.push((databases > 0 ? use(databaseLine, calledMs, databaseMs) : calledMs) - atMs)
  }
  times.sort((left, right) => left - right)
  const busy = (ms, cores) => (perSecond * ms) / 1000 / cores
  return {
    p99Ms: times[Math.floor(times.length * 0.99)],
    service: busy(serviceMs, services),
    database: databases > 0 ? busy(databaseMs, databases) : 0,
  }
}

/** Uses the core that is available first, and returns when the work ends. */
function use(cores, fromMs, ms) {
  let first = 0
  for (let index = 1; index < cores.length; index++) if (cores[index] < cores[first]) first = index
  cores[first] = Math.max(cores[first], fromMs) + ms
  return cores[first]
}

/** Returns the same random numbers in every run. */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
