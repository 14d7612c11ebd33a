import { createHmac } from 'node:crypto'
import { createApp } from '../subjects/apps.mjs'

const app = await createApp({ subject: 'trestle', framework: 'hono', which: 'ten', peerFolder: 'x' })
const response = await app.fetch(
  new Request('http://127.0.0.1/api?action=health-check', {
    method: 'GET',
    headers: { 'content-type': 'application/json' },
  }),
)
await response.text()
process.exit()
