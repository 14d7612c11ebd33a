import { workflows } from '@trestle/example-workflows'
import { serve } from '@trestle/h3'
import { H3, serve as listen } from 'h3'

const app = new H3().all('/api/bridge', serve({ workflows }))
const port = Number(process.env['PORT'] ?? 4000)

await listen(app, { port, silent: true }).ready()
console.log(`The bridge is at http://localhost:${port}/api/bridge`)
