import { getRequestListener } from '@hono/node-server'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
import { getRequestListener as getListenerOf1 } from 'hono-node-server-1'
import type { Mount } from './mount.ts'
import { mountListener, nodeInFront, waitsForBody } from './node.ts'

type Variant = 'bare' | 'after c.req.json()' | 'after c.req.text()' | 'after c.req.arrayBuffer()'

const badHost = {
  answers: [400],
  reason: '@hono/node-server makes a URL of Host and refuses one it cannot read',
} as const

const honoInFront = {
  ...nodeInFront,
  'Host: [': badHost,
  'Host with a port out of range': badHost,
  'Host with spaces': badHost,
  'empty Host': badHost,
  'Host: http://x': badHost,
  'Host: ::1': badHost,
  'Host: %': badHost,
  'Host: \\': badHost,
  'Host: a/b@c#d': badHost,
  'HTTP/1.0 without Host': badHost,
  'absolute-form URL with a bad port': badHost,
}

function mountHono(variant: Variant, toListener = getRequestListener): Mount['mount'] {
  return (options) => {
    const app = new Hono()
    app.use(async (context, next) => {
      const { req } = context
      // Middleware can handle unreadable bodies in any way; this one continues.
      if (variant === 'after c.req.json()') await req.json().catch(() => undefined)
      if (variant === 'after c.req.text()') await req.text().catch(() => undefined)
      if (variant === 'after c.req.arrayBuffer()') await req.arrayBuffer().catch(() => undefined)
      await next()
    })
    app.all('/api/bridge', serve(options))
    return mountListener(toListener(app.fetch))
  }
}

const bodies = {
  bare: 'stream',
  'after c.req.json()': 'text',
  'after c.req.text()': 'text',
  'after c.req.arrayBuffer()': 'kept',
} as const

const variants = ['bare', 'after c.req.json()', 'after c.req.text()', 'after c.req.arrayBuffer()'] as const

/** Hono on @hono/node-server 2 and 1, alone and after middleware that has read the body. */
export const honoMounts: readonly Mount[] = [
  ...variants.map((variant) => ({ name: `Hono, ${variant}`, variant, toListener: getRequestListener })),
  ...variants.map((variant) => ({
    name: `Hono on @hono/node-server 1, ${variant}`,
    variant,
    toListener: getListenerOf1 as typeof getRequestListener,
  })),
].map(({ name, variant, toListener }) => ({
  name,
  body: bodies[variant],
  inFront: variant === 'bare' ? honoInFront : { ...honoInFront, ...waitsForBody('the middleware in front') },
  mount: mountHono(variant, toListener),
}))
