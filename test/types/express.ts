import { serve } from '@trestle/express'
import express from 'express'

// The raw body kept for the bridge, as the README of @trestle/express shows it.
const app = express()
app.use(
  express.json({
    verify: (request, _response, buffer) => {
      Object.assign(request, { rawBody: buffer })
    },
  }),
)
app.all('/api/bridge', serve({ workflows: [] }))
