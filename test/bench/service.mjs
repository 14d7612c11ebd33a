import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startCluster } from './service-cluster.mjs'

// npm run bench -- --service: the throughput of the service, compared with a hand-written floor on the same database.
// With --quick, fewer rounds and stored rows; with --sqlite or --postgres, only one database.

const here = (file) => fileURLToPath(new URL(file, import.meta.url))
const has = (flag) => process.argv.includes(flag)
const quick = has('--quick')
const gates = { 'triggers accepted': 0.5 }
const maxReadyMs = 2000
const maxRestMb = 120
const maxGrowth = 1.5
const maxTurnMs = 100
const failed = []

const columns = [44, 14, 14, 10]
const print = (...cells) =>
  process.stdout.write(
    `${cells.map((cell, index) => (index === 0 ? cell.padEnd(columns[0]) : cell.padStart(columns[index] ?? 10))).join('')}\n`,
  )

if (!has('--postgres')) await measure('sqlite', undefined)
if (!has('--sqlite')) {
  const cluster = await startCluster()
  if (cluster) await measure('postgres', cluster).finally(cluster.stop)
  else print('PostgreSQL is not installed; it was left out.')
}
if (failed.length > 0) {
  process.stdout.write(`Below the gate: ${failed.join(', ')}.\n`)
  process.exitCode = 1
}

async function measure(driver, cluster) {
  const databaseUrl = cluster?.url
  const folder = mkdtempSync(join(tmpdir(), 'trestle-bench-'))
  try {
    const address = { databaseFile: join(folder, 'engine.db'), ...(databaseUrl && { databaseUrl }) }
    print(driver, 'service', 'floor', 'share')
    await measureStart(driver, { folder, databaseUrl, isFull: false })
    measureIn('service-latency.mjs', driver, {
      address: { ...address, databaseFile: join(folder, 'latency.db') },
      folder,
      quick,
    })
    measureIn('service-subject.mjs', driver, { address, quick })
    if (databaseUrl) measureIn('service-queue.mjs', driver, { address, quick })
    await measureStart(driver, { folder, databaseUrl, isFull: true })
    print('longest turn of the event loop, lists', '')
    measureIn('service-reads.mjs', driver, {
      address: { ...address, databaseFile: join(folder, 'reads.db') },
      folder,
      stored: quick ? 50_000 : 500_000,
    })
    measureIn('service-fan-out.mjs', driver, {
      address: { ...address, databaseFile: join(folder, 'fan-out.db'), postgresPid: cluster?.pid },
      folder,
      recipients: quick ? 2000 : 100_000,
      triggers: quick ? 100 : 1000,
    })
    for (const processes of cluster ? [1, 2, 4] : [])
      measureIn('service-fan-out.mjs', driver, {
        address: { databaseUrl: cluster.createDatabase(`processes_${processes}`), postgresPid: cluster.pid },
        folder,
        recipients: quick ? 2000 : 20_000,
        processes,
      })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function measureIn(file, driver, options) {
  const lines = execFileSync(process.execPath, [here(file), JSON.stringify(options)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e8,
  })
  for (const line of lines.trim().split('\n')) show(driver, JSON.parse(line))
}

function show(driver, figure) {
  const { name } = figure
  if ('text' in figure) print(name, figure.text)
  if (figure.turnMs > maxTurnMs) failed.push(`${driver} ${name}`)
  if ('text' in figure) return
  if ('share' in figure) {
    print(
      name,
      `${Math.round(figure.perSecond)}/s`,
      `${Math.round(figure.floorPerSecond)}/s`,
      figure.share.toFixed(2),
      gates[name] ? `  gate ${gates[name]}` : '',
    )
    if (figure.share < (gates[name] ?? 0)) failed.push(`${driver} ${name}`)
  } else if ('jobsPerSecond' in figure)
    print(
      name,
      `${Math.round(figure.jobsPerSecond)}/s`,
      `${figure.waitMs.toFixed(0)} ms wait`,
      `  processor time of a job: ${figure.cpuMs.toFixed(2)} ms, of the database ${figure.databaseCpuMs.toFixed(2)} ms`,
    )
  else if ('count' in figure) print(name, figure.count.toFixed(1))
  else if ('ms' in figure)
    print(
      name,
      `${figure.ms.toFixed(1)} ms`,
      `${figure.floorMs.toFixed(1)} ms`,
      (figure.floorMs / figure.ms).toFixed(2),
    )
  else {
    print(name, `x ${figure.ratio.toFixed(2)}`, '', '', `  gate ${maxGrowth}; its run x ${figure.runRatio.toFixed(2)}`)
    if (figure.ratio > maxGrowth) failed.push(`${driver} ${name}`)
  }
}

/** Measures startup time and memory, on an empty database and, after some requests, on the database with all runs. */
async function measureStart(driver, { folder, databaseUrl, isFull }) {
  const secretKey = 'sk_benchmark_0123456789'
  const databaseFile = join(folder, isFull ? 'engine.db' : 'empty.db')
  const startedMs = performance.now()
  const options = {
    port: 0,
    logLevel: 'silent',
    dataFolder: folder,
    databaseFile,
    secretKeys: { Development: secretKey },
  }
  const child = spawn(process.execPath, [here('../service/service-process.mjs')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl ?? '',
      SERVICE_OPTIONS: JSON.stringify(options),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const url = await new Promise((resolve, reject) => {
    child.once('message', ({ ready }) => resolve(ready))
    child.once('exit', () => reject(new Error('the service did not start')))
  })
  const readyMs = performance.now() - startedMs
  if (isFull)
    for (let index = 0; index < 50; index++) {
      const answer = await fetch(`${url}/v1/notifications?limit=10&page=${index}`, {
        headers: { authorization: `ApiKey ${secretKey}` },
      })
      await answer.text()
    }
  await pause(3000)
  const mb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
  child.kill('SIGKILL')
  const what = isFull ? 'with all stored runs' : 'at rest'
  print(`ready, ${what}`, `${Math.round(readyMs)} ms`, '', '', isFull ? '' : `  gate ${maxReadyMs}`)
  print(`memory, ${what}`, `${mb.toFixed(0)} MB`, '', '', isFull ? '' : `  gate ${maxRestMb}`)
  if (!isFull && readyMs > maxReadyMs) failed.push(`${driver} ready`)
  if (!isFull && mb > maxRestMb) failed.push(`${driver} memory`)
}
