import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type BridgeOptions, createBridge, toNodeHandler } from '@trestle/core'

/** A test server. */
export interface Listening {
  readonly port: number
  readonly origin: string
  stop(): Promise<void>
}

/** Serves requests on a free port of 127.0.0.1. */
export function listen(listener: RequestListener, tls?: { cert: string; key: string }, port = 0): Promise<Listening> {
  return listenAt('127.0.0.1', listener, { tls, port })
}

/** Serves requests at an address of this machine. */
export function listenAt(
  host: string,
  listener: RequestListener,
  { tls, port = 0 }: { tls?: { cert: string; key: string } | undefined; port?: number } = {},
): Promise<Listening> {
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const { port: actualPort } = server.address() as AddressInfo
      resolve({
        port: actualPort,
        origin: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
        stop: () =>
          new Promise((done) => {
            for (const socket of sockets) socket.destroy()
            server.close(() => done())
          }),
      })
    })
  })
}

export const key = 'sk_the_key_of_the_environment'

/** The handler of a bridge in production. */
export function bridgeHandler(options: BridgeOptions): RequestListener {
  const handler = toNodeHandler(
    createBridge({
      secretKey: key,
      strictAuthentication: true,
      logger: { warn: () => undefined, error: () => undefined },
      ...options,
    }),
  )
  return (request, response) => void handler(request, response)
}
