import { once } from 'node:events'
import { createServer } from 'node:http'
import { createApp } from './apps.mjs'

// A subject as a server on loopback, in its own process. Prints its port, and then for each received line the processor
// time used since the previous one, in microseconds.

const [, , subject, framework, peerFolder] = process.argv
const app = await createApp({ subject, framework, which: 'calls', peerFolder })
const server = framework === 'hono' ? await honoServer() : createServer(app).listen(0, '127.0.0.1')
if (!server.listening) await once(server, 'listening')
process.stdout.write(`${server.address().port}\n`)
let before = process.cpuUsage()
for await (const _ of process.stdin) {
  const { user, system } = process.cpuUsage(before)
  before = process.cpuUsage()
  process.stdout.write(`${user + system}\n`)
}
process.exit()

async function honoServer() {
  const { serve } = await import('@hono/node-server')
  return serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
}
