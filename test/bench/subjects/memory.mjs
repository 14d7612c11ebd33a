import { setImmediate as turn } from 'node:timers/promises'
import { createApp } from './apps.mjs'
import { createCalls } from './calls.mjs'

// Prints how many bytes the heap grows per call, during the second half of the calls.

const calls = Number(process.argv[2] ?? 200_000)
const app = await createApp({ subject: 'trestle', framework: 'hono', which: 'calls', peerFolder: '' })
const next = createCalls('trestle', '10 steps')

async function serve(count) {
  for (let index = 0; index < count; index++) {
    const { method, path, headers, body } = next()
    await (await app.fetch(new Request(`http://127.0.0.1${path}`, { method, headers, body }))).text()
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
process.stdout.write(String((last - middle) / (calls / 2)))
process.exit()
