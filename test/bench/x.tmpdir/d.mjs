import { createApp } from '../subjects/apps.mjs'

await createApp({ subject: 'trestle', framework: 'hono', which: 'ten', peerFolder: 'x' })
new Request('http://a/')
process.exit()
