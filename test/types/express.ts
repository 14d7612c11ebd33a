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

// Created at the first call, and called by a handler of the app.
let bridge: ReturnType<typeof serve> | undefined
app.all('/api/later', async (request, response) => {
  bridge ??= serve({ workflows: [] })
  await bridge(request, response)
})
