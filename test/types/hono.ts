import { serve } from '@trestle/hono'
import { type Context, Hono } from 'hono'

// With the app's own variables.
const app = new Hono<{ Bindings: { REGION: string }; Variables: { user: string } }>()
app.all('/api/bridge', serve({ workflows: [] }))

// Created at the first call, and called by a handler in the app.
let bridge: ReturnType<typeof serve> | undefined
export async function later(context: Context): Promise<Response> {
  bridge ??= serve({ workflows: [] })
  return await bridge(context)
}
app.all('/api/later', later)
app.all('/api/typed', async (context) => serve({ workflows: [] })(context))
