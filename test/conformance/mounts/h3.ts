import type { BridgeOptions } from '@trestle/core'
import { serve } from '@trestle/h3'
import { H3, toNodeHandler } from 'h3'
import * as h3of1 from 'h3-1'
import type { Mount } from './mount.ts'
import { mountListener, nodeInFront, waitsForBody } from './node.ts'

const noRoute = { answers: [404], reason: 'h3 knows routes by path only' } as const
const badPort = { 'absolute-form URL with a bad port': noRoute }

/** h3 2, as Nitro 3 uses it, and h3 1, as Nitro 2 and Nuxt do. */
export const h3Mounts: readonly Mount[] = [
  {
    name: 'h3 2',
    body: 'stream',
    inFront: { ...nodeInFront, ...badPort },
    mount: (options) => mountListener(toNodeHandler(new H3().all('/api/bridge', serve(options)))),
  },
  {
    name: 'h3 1',
    body: 'stream',
    inFront: { ...nodeInFront, ...badPort, 'absolute-form URL': noRoute },
    mount: (options) => mountListener(h3of1.toNodeListener(createAppOf1(options))),
  },
  {
    name: 'h3 1, after readRawBody()',
    body: 'kept',
    inFront: { ...nodeInFront, ...badPort, 'absolute-form URL': noRoute, ...waitsForBody('the middleware in front') },
    mount(options) {
      // Middleware can handle unreadable bodies in any way; this one continues.
      const read = h3of1.defineEventHandler(async (event) => ignore(await readOf1(event)))
      return mountListener(h3of1.toNodeListener(createAppOf1(options, read)))
    },
  },
  {
    name: 'h3 1, the body handed over',
    body: 'kept',
    inFront: { ...nodeInFront, ...badPort, 'absolute-form URL': noRoute, ...waitsForBody('the platform') },
    mount(options) {
      const handle = h3of1.toPlainHandler(createAppOf1(options))
      return mountListener(async (request, response) => {
        const chunks: Buffer[] = []
        try {
          for await (const chunk of request) chunks.push(chunk as Buffer)
        } catch {
          return response.destroy()
        }
        const { method = 'GET', url: path = '/', headers: given } = request
        const headers = Object.entries(given).map(([name, value]): [string, string] => [
          name,
          [value].flat().join(', '),
        ])
        const reply = await handle({ method, path, headers, body: Buffer.concat(chunks) })
        response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(reply.body)
      })
    },
  },
]

const ignore = (_value: unknown): undefined => undefined

/** Throws for a method without a body. */
const readOf1 = async (event: h3of1.H3Event): Promise<unknown> =>
  Promise.resolve()
    .then(() => h3of1.readRawBody(event, false))
    .catch(ignore)

function createAppOf1(options: BridgeOptions, inFront?: h3of1.EventHandler): h3of1.App {
  const app = h3of1.createApp()
  if (inFront) app.use(inFront)
  return app.use(h3of1.createRouter().use('/api/bridge', serve(options) as unknown as h3of1.EventHandler))
}
