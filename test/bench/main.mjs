import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { takeTurns } from './turns.mjs'

const here = (file) => fileURLToPath(new URL(file, import.meta.url))
const quick = process.argv.includes('--quick')
const roundMs = quick ? 120 : 350
const rounds = quick ? 3 : 15
// The least share of the floor's throughput, in the same run.
const gates = { 1: 0.7, 10: 0.7, 100: 0.65, 1000: 0.6 }
const maxBytesPerCall = 5
const maxExponent = 1.05

const shares = {}
const costs = {}
for (const steps of Object.keys(gates)) {
  const subjects = ['floor', 'trestle'].map((subject) => ({
    file: here('measure.mjs'),
    args: [subject, steps, String(roundMs)],
  }))
  const { leftUs: floorUs, rightUs: trestleUs, quotient: share } = await takeTurns(subjects, rounds)
  shares[steps] = share
  costs[steps] = trestleUs
  print([
    `${steps} steps`,
    `${floorUs.toFixed(1)} us`,
    `${trestleUs.toFixed(1)} us`,
    share.toFixed(3),
    `gate ${gates[steps]}`,
  ])
}
const exponent = Math.log10(costs[1000] / costs[100])
print(['growth 100 to 1000', '', '', exponent.toFixed(3), `gate ${maxExponent}`])
const calls = quick ? 20_000 : 200_000
const bytes = Number(execFileSync(process.execPath, ['--expose-gc', here('memory.mjs'), String(calls)]).toString())
print([`heap after ${calls} calls`, '', '', `${bytes.toFixed(2)} B/call`, `gate ${maxBytesPerCall}`])

const failed = [
  ...Object.keys(gates)
    .filter((steps) => shares[steps] < gates[steps])
    .map((steps) => `${steps} steps`),
  ...(exponent > maxExponent ? ['growth'] : []),
  ...(bytes > maxBytesPerCall ? ['heap'] : []),
]
if (failed.length > 0) {
  process.stdout.write(`Below the gate: ${failed.join(', ')}.\n`)
  process.exitCode = 1
}

function print([name, floorText, trestleText, result, gate]) {
  process.stdout.write(
    `${name.padEnd(26)}${floorText.padStart(12)}${trestleText.padStart(12)}${result.padStart(16)}   ${gate}\n`,
  )
}
