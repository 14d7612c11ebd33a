import { createHmac } from 'node:crypto'
import { createApp, headerOf, secret } from './apps.mjs'

// Prints the size in bytes of a subject's response to discover.

const [, , subject, peerFolder] = process.argv
const app = await createApp({ subject, framework: 'hono', which: 'discover', peerFolder })
const atMs = Date.now()
const mac = createHmac('sha256', secret).update(`${atMs}.{}`).digest('hex')
const headers = { [headerOf(subject)]: `t=${atMs},v1=${mac}` }
const response = await app.fetch(new Request('http://127.0.0.1/api?action=discover', { headers }))
if (response.status !== 200) throw new Error(`${subject}: ${response.status}`)
process.stdout.write(String((await response.arrayBuffer()).byteLength))
process.exit()
