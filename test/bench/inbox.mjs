import { readFileSync } from 'node:fs'
import { measureChanges } from './inbox-changes.mjs'
import { openStreams } from './inbox-streams.mjs'
import { startCluster } from './service-cluster.mjs'

// npm run bench -- --inbox: the cost of idle inbox streams for one process, and of recording an in-app message for
// them. With --quick, it uses fewer streams and rounds. Requires Linux, because it reads /proc.

const quick = process.argv.includes('--quick')
const [count, seconds] = quick ? [500, 10] : [5000, 60]
const rounds = quick ? 200 : 2000
const maxKb = 60
const maxMsPerSecond = 0.1
const print = (name, ...figures) => process.stdout.write(`${name.padEnd(54)}${figures.join('  ')}\n`)

const streams = await openStreams()
try {
  // Code that the process loads once does not count as the cost of a stream.
  await streams.open(20)
  await streams.rest(seconds / 5)
  const before = await usage(streams.pid, seconds)
  await streams.open(count)
  await streams.rest(seconds / 5)
  const after = await usage(streams.pid, seconds)
  const kb = (after.kb - before.kb) / count
  const ms = (after.msPerSecond - before.msPerSecond) / count
  print(`${count} idle streams: memory of one`, `${kb.toFixed(1)} KB`, `gate ${maxKb}`)
  print('processor time of one', `${ms.toFixed(4)} ms a second`, `gate ${maxMsPerSecond}`)
  const lost = streams.lost()
  print('streams that ended', lost)
  if (kb > maxKb || ms > maxMsPerSecond || lost > 0) process.exitCode = 1
} finally {
  await streams.stop()
}

const cluster = await startCluster()
try {
  for (const [name, url] of [['SQLite', undefined], ...(cluster ? [['PostgreSQL', cluster.url]] : [])]) {
    const { plainMs, recordedMs } = await measureChanges(url, rounds)
    const more = `${(recordedMs - plainMs).toFixed(3)} ms more`
    print(`${name}: storing an in-app message, recorded`, `${recordedMs.toFixed(3)} ms`, more)
  }
} finally {
  await cluster?.stop()
}

/** The current memory of a process, and its processor time during some seconds. */
async function usage(pid, forSeconds) {
  const startMs = performance.now()
  const before = processorMs(pid)
  await streams.rest(forSeconds)
  const passedSeconds = (performance.now() - startMs) / 1000
  const kb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return { kb, msPerSecond: (processorMs(pid) - before) / passedSeconds }
}

/** Ticks are hundredths of a second. The program name, in parentheses, may contain spaces. */
function processorMs(pid) {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (.*)/s)
  const [user, system] = fields.split(' ').slice(11, 13).map(Number)
  return (user + system) * 10
}
