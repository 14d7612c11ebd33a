import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { hasNginx, startNginx } from '../deploy/nginx.ts'
import { serviceReceiver, toReceiver } from './early-receivers.ts'
import { nodeMount } from './mounts/node.ts'
import { head } from './raw.ts'

const body = Buffer.alloc(8 * 2 ** 20, 'x')

/** Returns a configuration of nginx for an app that speaks HTTP/1.0 with it. */
const toConfiguration = (buffering: string): string => `server {
  listen 443 ssl;
  ssl_certificate cert.pem;
  ssl_certificate_key key.pem;
  client_max_body_size 100m;
  client_body_buffer_size 16m;
  proxy_http_version 1.0;
  proxy_request_buffering ${buffering};
  location / { proxy_pass http://127.0.0.1:3737; proxy_set_header Host $proxy_host; }
}`

/** Connects to the proxy, which takes a moment to start. */
async function open(port: number): Promise<TLSSocket> {
  for (let tries = 1; ; tries++) {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    try {
      await once(socket, 'secureConnect')
      return socket
    } catch (error) {
      if (tries === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** Sends a large request through the proxy; returns the response. */
async function send(port: number, headers: string): Promise<string> {
  const socket = await open(port)
  socket.on('error', () => undefined)
  socket.write(headers)
  socket.write(body)
  return text(socket)
}

describe.runIf(hasNginx)('behind nginx, which speaks HTTP/1.0 to the app', () => {
  const rows = [toReceiver(nodeMount), serviceReceiver].flatMap((receiver) =>
    ['on', 'off'].flatMap((buffering) =>
      [413, 401].map((status) => [receiver.name, status, buffering, receiver] as const),
    ),
  )
  test.each(rows)('%s delivers a %s (request buffering: %s)', async (_name, status, buffering, receiver) => {
    const { url, close } = await receiver.start()
    try {
      const target = Number(new URL(url).port)
      const port = await startNginx([target, target], toConfiguration(buffering))
      const fields = ['host: localhost', 'content-type: application/json', `content-length: ${body.length}`]
      const authentication = status === 413 ? [await receiver.authenticate()] : []
      const headers = head(`POST ${receiver.path} HTTP/1.1`, [...fields, 'connection: close', ...authentication])
      const answers = await Promise.all(Array.from({ length: 12 }, () => send(port, headers)))
      for (const answer of answers) {
        expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
        expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ message: expect.any(String) })
      }
    } finally {
      await close()
    }
  })
})
