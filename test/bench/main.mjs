import { execFileSync, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

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
  const { floorUs, trestleUs, share } = await compare(steps)
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

/** Lets floor and product take turns, and gives the median of the quotients of their rounds. */
async function compare(steps) {
  const floor = start('floor', steps)
  const trestle = start('trestle', steps)
  await floor.ready
  await trestle.ready
  const pairs = []
  for (let round = 0; round < rounds; round++) {
    const [first, second] = round % 2 === 0 ? [floor, trestle] : [trestle, floor]
    const one = await first.round()
    const two = await second.round()
    pairs.push(round % 2 === 0 ? [one, two] : [two, one])
  }
  floor.stop()
  trestle.stop()
  return {
    floorUs: median(pairs.map(([a]) => a)),
    trestleUs: median(pairs.map(([, b]) => b)),
    share: median(pairs.map(([a, b]) => a / b)),
  }
}

/** Starts a subject in a process of its own; it measures one round each time it is asked. */
function start(subject, steps) {
  const child = spawn(process.execPath, [here('measure.mjs'), subject, steps, String(roundMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${subject} ended before it was asked to`)
    return value
  }
  return {
    ready: next(),
    async round() {
      child.stdin.write('round\n')
      return Number(await next())
    },
    stop: () => child.stdin.end(),
  }
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function print([name, floorText, trestleText, result, gate]) {
  process.stdout.write(
    `${name.padEnd(26)}${floorText.padStart(12)}${trestleText.padStart(12)}${result.padStart(16)}   ${gate}\n`,
  )
}
