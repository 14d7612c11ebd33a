import { workflows } from '@trestle/example-workflows'
import { serve } from '@trestle/express'
import express from 'express'

const app = express()
const port = Number(process.env['PORT'] ?? 4000)

// Registered before any body parser, so that the bridge receives the signed bytes.
app.all('/api/bridge', serve({ workflows }))

app.use(express.json())

app.listen(port, () => console.log(`The bridge is at http://localhost:${port}/api/bridge`))
