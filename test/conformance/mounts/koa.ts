import Router from '@koa/router'
import { serve } from '@trestle/koa'
import Koa, { type Middleware } from 'koa'
import type { Mount } from './mount.ts'
import { mountListener, nodeInFront, waitsForBody } from './node.ts'

/** Keeps the text and its parsed value, like `koa-bodyparser`; a byte order mark is lost. */
const keepText: Middleware = async (context, next) => {
  const chunks: Buffer[] = []
  for await (const chunk of context.req) chunks.push(chunk as Buffer)
  const rawBody = new TextDecoder().decode(Buffer.concat(chunks))
  Object.assign(context.request, { rawBody, body: {} })
  await next()
}

/** Keeps the bytes on the request of Node and a parsed value on that of Koa, like a platform and a body parser. */
const keepBytes: Middleware = async (context, next) => {
  const chunks: Buffer[] = []
  for await (const chunk of context.req) chunks.push(chunk as Buffer)
  Object.assign(context.req, { rawBody: Buffer.concat(chunks) })
  Object.assign(context.request, { body: {} })
  await next()
}

function mountKoa(inFront: readonly Middleware[]): Mount['mount'] {
  return (options) => {
    const app = new Koa()
    for (const middleware of inFront) app.use(middleware)
    app.use(new Router().all('/api/bridge', serve(options)).routes())
    return mountListener(app.callback())
  }
}

/** Koa with a router, alone and after a body parser. */
export const koaMounts: readonly Mount[] = [
  { name: 'Koa, bare', body: 'stream', inFront: nodeInFront, mount: mountKoa([]) },
  {
    name: 'Koa, behind a body parser',
    body: 'text',
    inFront: { ...nodeInFront, ...waitsForBody('the body parser') },
    mount: mountKoa([keepText]),
  },
  {
    name: 'Koa, on a platform that keeps the bytes',
    body: 'kept',
    inFront: { ...nodeInFront, ...waitsForBody('the platform') },
    mount: mountKoa([keepBytes]),
  },
]
