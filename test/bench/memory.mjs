import { setImmediate as turn } from 'node:timers/promises'
import { toBodies, toRequest } from './requests.mjs'
import { trestle } from './subjects.mjs'

const calls = Number(process.argv[2] ?? 200_000)
const bodies = toBodies(10)
const answer = trestle(10)

/** Answers so many calls and gives the heap that is left, in bytes. */
async function serve(count) {
  for (let index = 0; index < count; index++) {
    const response = await answer(toRequest(bodies[index % bodies.length]))
    await response.text()
    if (index % 64 === 0) await turn()
  }
  await turn()
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage().heapUsed
}

await serve(2000)
const middle = await serve(calls / 2)
const last = await serve(calls / 2)
process.stdout.write(`${(last - middle) / (calls / 2)}\n`)
