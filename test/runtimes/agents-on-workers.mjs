import { createBridge } from '@trestle/core'
import { agent } from '@trestle/core/agents'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'

// An agent on Cloudflare Workers, once with Hono and once without a web framework. The key and the API's URL are passed
// with each call, and the worker is kept active until the agent has replied.

const support = agent('support', {
  onMessage: async ({ message, reply }) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await reply(`You said: ${message.text}`)
  },
})
const bridge = createBridge({ agents: [support] })
const app = new Hono().all('/hono', serve({ agents: [support] }))

export default {
  fetch(request, env, context) {
    const { pathname } = new URL(request.url)
    if (pathname === '/hono') return app.fetch(request, env, context)
    if (pathname === '/frozen') return bridge.fetch(request, { env })
    return bridge.fetch(request, { env, waitUntil: (work) => context.waitUntil(work) })
  },
}
