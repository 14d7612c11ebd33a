import { createHmac } from 'node:crypto'
import { workflow } from '@trestle/core'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
import { toWorkflows } from '../subjects/workflows.mjs'

const n = +process.argv[2]
const app = new Hono().all(
  '/api',
  serve({
    workflows: toWorkflows(workflow, 'discover').slice(0, n),
    secretKey: 'benchmark-secret-key',
    strictAuthentication: true,
  }),
)
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
  return (performance.now() - t).toFixed(1) + ' ' + (d.user + d.system) / 1000
}
await call('health-check')
console.log(n, await call('discover'))
process.exit()
