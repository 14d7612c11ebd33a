import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { measureColdStart } from './cold-start.mjs'
import { measureInProcess } from './in-process.mjs'
import { installPeer } from './peer-folder.mjs'
import { measureSize } from './size.mjs'
import { measureOverSockets } from './sockets.mjs'
import { keepsGate, toTable } from './table.mjs'

// npm run bench: compares every case with a hand-written floor and the public peer, in one run. --quick is for a first
// look, --only=TEXT selects cases by name, --write updates the table on the performance page.

const quick = process.argv.includes('--quick')
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length) ?? ''
const page = fileURLToPath(new URL('../../packages/docs/performance.md', import.meta.url))
const inProcess = quick ? { rounds: 3, roundMs: 150 } : { rounds: 11, roundMs: 350 }
const sockets = quick ? { rounds: 2, roundMs: 1000 } : { rounds: 7, roundMs: 2000 }
const coldRounds = quick ? 3 : 15
const memoryCalls = quick ? 20_000 : 200_000
const maxBytesPerCall = 1
const maxExponent = 1
const peerFolder = installPeer()
const costs = {}

const steps = (name, gate, goal) => ({ name: `in process, ${name}`, gate, goal, measure: () => measureSteps(name) })
const peerOnly = (name, gate, goal) => ({ name: `in process, ${name}`, gate, goal, measure: () => measurePeer(name) })
const overSockets = (framework, name, { gate, goal, subjects = ['floor', 'trestle', 'peer'] }) => ({
  name: `${framework === 'hono' ? 'Hono' : 'Express'} over sockets, ${name}`,
  gate,
  goal,
  measure: () => measureServer(framework, name, subjects),
})
const cases = [
  steps('1 step', { share: 0.72, times: 3.4 }, { share: 0.88, times: 4.4 }),
  steps('10 steps', { share: 0.72, times: 3.6 }, { share: 0.88, times: 4.4 }),
  steps('100 steps', { share: 0.68, times: 3.8 }, { share: 0.82, times: 4.8 }),
  steps('1000 steps', { share: 0.62, times: 4.4 }, { share: 0.78, times: 6 }),
  overSockets('hono', '1 step', { gate: { share: 0.62, times: 2.5 }, goal: { share: 0.78, times: 3.4 } }),
  overSockets('express', '1 step', { gate: { share: 0.93, times: 1.8 }, goal: { share: 0.97, times: 1.9 } }),
  peerOnly('email', { times: 5.5 }, { times: 7 }),
  peerOnly('email, new template', { times: 4.3 }, { times: 5 }),
  overSockets('hono', 'email', { gate: { times: 4 }, goal: { times: 5 }, subjects: ['trestle', 'peer'] }),
  overSockets('express', 'email', { gate: { times: 3.5 }, goal: { times: 4.5 }, subjects: ['trestle', 'peer'] }),
  peerOnly('preview of 10 steps', { times: 5.5 }, { times: 7.5 }),
  peerOnly('preview of an email', { times: 4 }, { times: 5 }),
  peerOnly('discover 100 x 10', { times: 12 }, { times: 14 }),
  {
    name: 'bytes of discover 100 x 10, of the peer',
    gate: { share: 0.38 },
    goal: { share: 0.35 },
    less: true,
    measure: measureBytes,
  },
  {
    name: 'first discover of 90 ordinary workflows, processor time as part of a second',
    gate: { share: 1 },
    goal: { share: 0.7 },
    less: true,
    measure: measureNinety,
  },
  cold('cold start from node_modules', {}, { share: 1.2, times: 0.45 }, { share: 1.05, times: 0.38 }),
  cold('cold start, workflows that ask of their data', { which: 'asking' }, { share: 2.2 }, { share: 1.8 }),
  cold('cold start, bundled', { bundled: 'file' }, { share: 1.1, times: 0.5 }, { share: 1.04, times: 0.47 }),
  cold('cold start, bundled into chunks', { bundled: 'chunks' }, {}, {}),
]

const rows = []
for (const { name, gate, goal, less, measure } of cases) {
  if (!name.includes(only)) continue
  const row = { name, gate, goal, less, ...(await measure()) }
  rows.push(row)
  process.stdout.write(`${toTable([row]).split('\n')[2]}\n`)
}
const notes = only === '' ? await measureRest() : []
const table = toTable(rows)
process.stdout.write(`\n${[table, ...notes.map(({ text }) => text)].join('\n')}\n`)
if (process.argv.includes('--write')) write(table, notes)
const missed = [
  ...rows.filter((row) => !keepsGate(row)).map(({ name }) => name),
  ...notes.flatMap(({ missed: name }) => name ?? []),
]
if (missed.length > 0) {
  process.stdout.write(`\nGates missed: ${missed.join('; ')}.\n`)
  process.exitCode = 1
}

async function measureSteps(name) {
  const { us, share, times } = await measureInProcess(name, {
    subjects: ['floor', 'trestle', 'peer'],
    peerFolder,
    ...inProcess,
  })
  costs[name] = us.trestle
  return { share, times, displayText: `${us.trestle.toFixed(0)} us` }
}

async function measurePeer(name) {
  const { us, times } = await measureInProcess(name, { subjects: ['trestle', 'peer'], peerFolder, ...inProcess })
  return { times, displayText: `${us.trestle.toFixed(0)} us` }
}

async function measureServer(framework, name, subjects) {
  const { rates, share, times } = await measureOverSockets(name, { framework, subjects, peerFolder, ...sockets })
  return { share, times, displayText: `${rates.trestle.toFixed(0)}/s` }
}

async function measureBytes() {
  const measure = (subject) =>
    Number(
      execFileSync(
        process.execPath,
        [fileURLToPath(new URL('subjects/bytes.mjs', import.meta.url)), subject, peerFolder],
        { env: { ...process.env, NODE_ENV: 'production' } },
      ).toString(),
    )
  const [trestle, peer] = [measure('trestle'), measure('peer')]
  return { share: trestle / peer, displayText: `${(trestle / 1024).toFixed(0)} KiB` }
}

function measureNinety() {
  const subject = fileURLToPath(new URL('subjects/ninety.mjs', import.meta.url))
  const env = { ...process.env, NODE_ENV: 'production' }
  const times = Array.from({ length: 5 }, () => Number(execFileSync(process.execPath, [subject], { env }).toString()))
  const ms = times.toSorted((one, other) => one - other)[2]
  return { share: ms / 1000, displayText: `${ms.toFixed(0)} ms` }
}

function cold(name, how, gate, goal) {
  const measure = async () => {
    const { ms, ofFloor, ofPeer } = await measureColdStart({ ...how, rounds: coldRounds, peerFolder })
    return { share: ofFloor, times: ofPeer, displayText: `${ms.trestle.toFixed(0)} ms` }
  }
  return { name: `${name}, of floor and peer`, gate, goal, less: true, measure }
}

async function measureRest() {
  const { firstBytes, allBytes } = await measureSize()
  const kib = (bytes) => (bytes / 1024).toFixed(1)
  const bytes = Number(
    execFileSync(
      process.execPath,
      ['--expose-gc', fileURLToPath(new URL('subjects/memory.mjs', import.meta.url)), String(memoryCalls)],
      { env: { ...process.env, NODE_ENV: 'production' } },
    ).toString(),
  )
  const exponent = Math.log10(costs['1000 steps'] / costs['100 steps'])
  return [
    note(
      `Over Hono, compressed: ${kib(firstBytes)} KiB for a first execute without templates (gate 40, goal 25), ${kib(allBytes)} KiB for everything (gate 75, goal 60).`,
      firstBytes > 40 * 1024 || allBytes > 75 * 1024,
      'size',
    ),
    note(
      `Growth from 100 to 1000 steps: exponent ${exponent.toFixed(2)} (gate ${maxExponent}).`,
      exponent > maxExponent,
      'growth',
    ),
    note(
      `Memory after ${memoryCalls} calls: ${bytes.toFixed(2)} bytes a call (gate ${maxBytesPerCall}).`,
      bytes > maxBytesPerCall,
      'memory',
    ),
  ]
}

function note(text, isMissed, name) {
  return { text, missed: isMissed ? name : undefined }
}

function write(table, notes) {
  const [before, , after] = readFileSync(page, 'utf8').split(/<!-- (?:table|end) -->\n/)
  const text = ['', table, '', ...notes.map(({ text }) => `- ${text}`), '', ''].join('\n')
  writeFileSync(page, `${before}<!-- table -->\n${text}<!-- end -->\n${after}`)
}
