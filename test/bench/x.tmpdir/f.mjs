import { createHmac } from 'node:crypto'
import { createApp } from '../subjects/apps.mjs'

const app = await createApp({ subject: 'trestle', framework: 'hono', which: 'ten', peerFolder: 'x' })
async function call(n) {
  const atMs = Date.now()
  const mac = createHmac('sha256', 'benchmark-secret-key').update(`${atMs}.{}`).digest('hex')
  const t = performance.now(),
    c = process.cpuUsage()
  const response = await app.fetch(
    new Request('http://127.0.0.1/api?action=' + n, {
      method: 'GET',
      headers: { 'content-type': 'application/json', 'service-signature': `t=${atMs},v1=${mac}` },
    }),
  )
  await response.text()
  const d = process.cpuUsage(c)
  console.log(n, (performance.now() - t).toFixed(1), (d.user + d.system) / 1000)
}
await call('health-check')
await call('health-check')
await call('discover')
await call('discover')
console.log('runs', globalThis.__n)
process.exit()
