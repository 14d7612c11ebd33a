import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cases } from './peer-cases.mjs'
import { takeTurns } from './turns.mjs'

// npm run bench -- --peer: how many times less processor time a call takes than with @novu/framework. The two take
// turns in one run, each in a process of its own; the figure is the median of the quotients of their rounds.

const peer = { '@novu/framework': '2.13.2', hono: '4.13.19', zod: '3.25.76', 'zod-to-json-schema': '3.25.2' }
const quick = process.argv.includes('--quick')
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length)
const roundMs = quick ? 150 : 350
const rounds = quick ? 3 : 9

const folder = installPeer()
const failed = []
for (const [name, { gate }] of Object.entries(cases)) {
  if (only !== undefined && !name.includes(only)) continue
  const subjects = ['peer', 'trestle'].map((subject) => ({
    file: fileURLToPath(new URL('peer-subject.mjs', import.meta.url)),
    args: [subject, name, String(roundMs), folder],
    env: { ...process.env, NODE_ENV: 'production' },
  }))
  const { leftUs: peerUs, rightUs: trestleUs, quotient: times } = await takeTurns(subjects, rounds)
  const shown = [`${peerUs.toFixed(1)} us`, `${trestleUs.toFixed(1)} us`, `${times.toFixed(2)} x`]
  const goal = gate === undefined ? '' : `   gate ${gate} x`
  process.stdout.write(`${name.padEnd(26)}${shown.map((text) => text.padStart(14)).join('')}${goal}\n`)
  if (gate !== undefined && times < gate) failed.push(name)
}
if (failed.length > 0) {
  process.stdout.write(`Below the gate: ${failed.join(', ')}.\n`)
  process.exitCode = 1
}

/** Puts the peer into a folder of its own outside the repository, once. */
function installPeer() {
  const target = join(tmpdir(), `bench-peer-${peer['@novu/framework']}`)
  if (existsSync(join(target, 'node_modules', '@novu', 'framework', 'package.json'))) return target
  process.stdout.write('Installing the peer ...\n')
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, 'package.json'), JSON.stringify({ private: true, dependencies: peer }))
  execFileSync('npm', ['install', '--ignore-scripts', '--no-fund', '--no-audit'], { cwd: target, stdio: 'ignore' })
  return target
}
