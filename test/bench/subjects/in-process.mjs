import { setImmediate as turn } from 'node:timers/promises'
import { createApp } from './apps.mjs'
import { checkAnswers, createCalls } from './calls.mjs'

// A subject in its own process, called through its app without a socket. It measures a round for each received line,
// and prints the processor time per call in microseconds.

const [, , subject, name, roundMsText, peerFolder] = process.argv
const which = name.startsWith('discover') ? 'discover' : 'calls'
const app = await createApp({ subject, framework: 'hono', which, peerFolder })
const next = createCalls(subject, name)
const chunk = 32

await checkAnswers(subject, name, async (call) => {
  const response = await app.fetch(toRequest(call))
  return { status: response.status, body: await response.text() }
})
await spend(Math.max(800, Number(roundMsText) * 6))
process.stdout.write('ready\n')
for await (const _ of process.stdin) process.stdout.write(`${await spend(Number(roundMsText))}\n`)

function toRequest({ method, path, headers, body }) {
  return new Request(`http://127.0.0.1${path}`, { method, headers, body })
}

/** The measurement excludes creating the requests. Each call gets a turn of the event loop, as in a server. */
async function spend(ms) {
  let cpuUs = 0
  let count = 0
  const end = performance.now() + ms
  while (performance.now() < end) {
    const requests = Array.from({ length: chunk }, () => toRequest(next()))
    const before = process.cpuUsage()
    for (const request of requests) {
      const response = await app.fetch(request)
      await response.text()
      await turn()
    }
    const { user, system } = process.cpuUsage(before)
    cpuUs += user + system
    count += chunk
  }
  return cpuUs / count
}
