import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { JsonObject } from '@trestle/protocol'
import { onTestFinished } from 'vitest'

/** A request that a fake provider received. */
export interface FakeRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body, if it is a JSON object. */
  readonly body: JsonObject
}

/** The response of a fake provider; nothing if it never responds. */
export interface FakeAnswer {
  readonly status?: number
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A fake of a provider's API on loopback. */
export interface FakeProvider {
  readonly url: string
  readonly received: readonly FakeRequest[]
  /** Responds to the next requests, one each, before the usual response. */
  answerNext(...answers: readonly (FakeAnswer | undefined)[]): void
}

/**
 * Starts a fake provider.
 *
 * @param usual - Returns the usual response.
 * @param protocol - The protocol that it speaks, without TLS.
 */
export async function serveProvider(
  usual: (request: FakeRequest) => FakeAnswer,
  protocol: 'http1' | 'http2' = 'http1',
): Promise<FakeProvider> {
  const received: FakeRequest[] = []
  const next: (FakeAnswer | undefined)[] = []
  const sockets = new Set<Socket>()

  function answer(request: FakeRequest, send: (answer: Required<FakeAnswer>) => void): void {
    received.push(request)
    const given = next.length > 0 ? next.shift() : usual(request)
    if (given) send({ status: 200, text: '', headers: {}, ...given })
  }

  const http1 = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    void readAll(incoming).then((text) =>
      answer({ method, url, headers, text, body: toBody(text) }, ({ status, headers, text }) =>
        outgoing.writeHead(status, headers).end(text),
      ),
    )
  })
  const http2 = createHttp2Server().on('stream', (stream, all) => {
    stream.on('error', () => {})
    const { ':method': method = '', ':path': url = '', ...headers } = all
    void readAll(stream).then((text) =>
      answer({ method, url, headers: headers as IncomingHttpHeaders, text, body: toBody(text) }, (given) => {
        stream.respond({ ':status': given.status, ...given.headers })
        stream.end(given.text)
      }),
    )
  })
  const server = protocol === 'http1' ? http1 : http2
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, received, answerNext: (...answers) => next.push(...answers) }
}

async function readAll(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function toBody(text: string): JsonObject {
  return text.startsWith('{') ? (JSON.parse(text) as JsonObject) : {}
}
