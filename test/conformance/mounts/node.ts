import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBridge, toNodeHandler } from '@trestle/core'
import type { InFront, Mount, Mounted } from './mount.ts'

/** Responses that every node:http server sends itself. */
export const nodeInFront: Readonly<Record<string, InFront>> = {
  'HTTP/1.1 without Host': { answers: [400], reason: 'Node refuses HTTP/1.1 without Host, as RFC 9112 asks' },
  'broken chunks': { answers: [400], reason: "Node's HTTP parser refuses the framing" },
  'two different content-lengths': { answers: [400], reason: "Node's HTTP parser refuses the framing" },
  'content-length and chunks': { answers: [400], reason: "Node's HTTP parser refuses the framing" },
  'an unknown method': { answers: [400], reason: "Node's HTTP parser knows a fixed list of methods" },
  'a header without a colon': { answers: [400], reason: "Node's HTTP parser refuses the header" },
  'a header of 40 kB': { answers: [431], reason: 'Node reads 16 kB of headers' },
  'not HTTP at all': { answers: [400], reason: "Node's HTTP parser refuses the request line" },
  'body cut short': { answers: [400, 'close'], reason: 'Node answers a connection that ends in the middle of a body' },
  CONNECT: { answers: ['close'], reason: 'Node closes a CONNECT that no listener takes' },
}

/** What happens with missing bodies if code in front of the bridge reads the body. */
export function waitsForBody(who: string): Readonly<Record<string, InFront>> {
  const waits = { answers: ['silent'], reason: `${who} waits for the body first` } as const
  return {
    'body of a refused call never sent': waits,
    'content-length over the limit, nothing sent': waits,
    'slow body': waits,
  }
}

/** Listens on a free port of the loopback address. */
export async function listen(listener: RequestListener): Promise<{ server: Server; origin: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Listens, and passes on the bridge's URL. */
export async function mountListener(listener: RequestListener): Promise<Mounted> {
  const { server, origin } = await listen(listener)
  return { url: `${origin}/api/bridge`, close: () => closeServer(server) }
}

/** Closes a server and its connections. */
export function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Parses a JSON body and keeps only the object, as web frameworks can do. */
function parseFirst(handler: RequestListener): RequestListener {
  return async (request, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString()
      Object.assign(request, { body: text === '' ? {} : JSON.parse(text) })
    } catch {
      response.writeHead(400).end()
      return
    }
    handler(request, response)
  }
}

/** The bridge on node:http after a parser that only keeps the object. */
export const parsedNodeMount: Mount = {
  name: 'node:http behind a parser',
  body: 'parsed',
  inFront: {
    ...nodeInFront,
    ...waitsForBody('the parser in front'),
    '100 000 nested brackets': { answers: [400], reason: 'the parser refuses what is not JSON' },
  },
  mount: (options) =>
    mountListener(parseFirst(toNodeHandler(createBridge(options), { rawBodyHint: 'Use req.rawBody.' }))),
}

/** The bridge on node:http directly. */
export const nodeMount: Mount = {
  name: 'node:http',
  body: 'stream',
  inFront: nodeInFront,
  mount: (options) => mountListener(toNodeHandler(createBridge(options))),
}
