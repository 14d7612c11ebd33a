import { serve } from '@trestle/express'
import express from 'express'

// Keeps the raw body for the bridge, as shown in the README of @trestle/express.
const app = express()
app.use(
  express.json({
    verify: (request, _response, buffer) => {
      Object.assign(request, { rawBody: buffer })
    },
  }),
)
app.all('/api/bridge', serve({ workflows: [] }))

// Created at the first call, and called by a handler in the app.
let bridge: ReturnType<typeof serve> | undefined
app.all('/api/later', async (request, response) => {
  bridge ??= serve({ workflows: [] })
  await bridge(request, response)
})
