import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * Lets two subjects take turns, each in a process of its own.
 *
 * @param {readonly [Subject, Subject]} subjects
 * @param {number} rounds
 * @returns {Promise<{ leftUs: number, rightUs: number, quotient: number }>} The medians of both, and of left by right.
 *
 * @typedef {{ file: string, args: readonly string[], env?: NodeJS.ProcessEnv }} Subject
 */
export async function takeTurns([leftSubject, rightSubject], rounds) {
  const left = start(leftSubject)
  const right = start(rightSubject)
  await left.ready
  await right.ready
  const pairs = []
  for (let round = 0; round < rounds; round++) {
    const isEven = round % 2 === 0
    const [first, second] = isEven ? [left, right] : [right, left]
    const one = await first.round()
    const two = await second.round()
    pairs.push(isEven ? [one, two] : [two, one])
  }
  left.stop()
  right.stop()
  return {
    leftUs: median(pairs.map(([us]) => us)),
    rightUs: median(pairs.map(([, us]) => us)),
    quotient: median(pairs.map(([leftUs, rightUs]) => leftUs / rightUs)),
  }
}

/** Starts a subject; it measures one round each time it is asked. */
function start({ file, args, env = process.env }) {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'], env })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${args[0]} ended before it was asked to`)
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
