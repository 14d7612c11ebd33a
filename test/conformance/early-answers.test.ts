import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Receiver, serviceReceiver, toReceiver } from './early-receivers.ts'
import { expressMounts } from './mounts/express.ts'
import { fastifyMounts } from './mounts/fastify.ts'
import { honoMounts } from './mounts/hono.ts'
import { koaMounts } from './mounts/koa.ts'
import type { Mounted } from './mounts/mount.ts'
import { nodeMount } from './mounts/node.ts'
import { head, type Piece } from './raw.ts'

// Many proxies speak HTTP/1.0 to the app. Such a connection ends with its response, which must not be lost.

const declaredBytes = 19 * 2 ** 20

const mounts = [nodeMount, ...[expressMounts, fastifyMounts, koaMounts, honoMounts].flatMap((all) => all.slice(0, 1))]
const receivers: readonly Receiver[] = [...mounts.map(toReceiver), serviceReceiver]

/** What a sender does after the headers. */
interface Sender {
  readonly name: string
  readonly pieces: readonly Piece[]
  /** Whether it reads only after sending everything. */
  readonly readsLate?: true
}

const senders: readonly Sender[] = [
  { name: 'reads only after it has sent its body', pieces: [Buffer.alloc(declaredBytes, 'x')], readsLate: true },
  {
    name: 'keeps sending slowly',
    pieces: Array.from({ length: 20 }, (): Piece[] => [Buffer.alloc(100_000, 'x'), 50]).flat(),
  },
  { name: 'sends a part and waits', pieces: ['x'] },
]

/** Sends a request; returns what was received until the server closed the connection. */
async function send(url: URL, headers: string, { pieces, readsLate }: Sender): Promise<string> {
  const socket = connect(Number(url.port), url.hostname)
  const received: Buffer[] = []
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => void received.push(chunk))
  const closed = new Promise((resolve) => socket.on('close', resolve))
  if (readsLate) socket.pause()
  for (const piece of [headers, ...pieces]) {
    if (!socket.writable) break
    if (typeof piece === 'number') await new Promise((resolve) => setTimeout(resolve, piece))
    else if (piece !== null) await new Promise((resolve) => socket.write(piece, resolve))
  }
  socket.resume()
  await closed
  return Buffer.concat(received).toString()
}

const rows = [413, 401].flatMap((status) => senders.map((sender) => ({ status, sender, name: sender.name })))

describe.each(receivers)('over HTTP/1.0, $name', ({ path, start, authenticate }) => {
  let mounted: Mounted
  beforeAll(async () => {
    mounted = await start()
  })
  afterAll(() => mounted.close())

  test.concurrent.each(rows)('answers a sender that $name with a complete $status', async ({ status, sender }) => {
    const url = new URL(mounted.url)
    const fields = ['content-type: application/json', `content-length: ${declaredBytes}`]
    const authentication = status === 413 ? [await authenticate()] : []
    const headers = head(`POST ${path} HTTP/1.0`, [`host: ${url.host}`, ...fields, ...authentication])
    const text = await send(url, headers, sender)
    const end = text.indexOf('\r\n\r\n')
    const lines = text.slice(0, end).toLowerCase().split('\r\n')
    const body = text.slice(end + 4)
    expect(lines[0]).toMatch(new RegExp(`^http/1\\.1 ${status} `))
    expect(lines).toContain('connection: close')
    expect(lines).toContain(`content-length: ${Buffer.byteLength(body)}`)
    expect(JSON.parse(body)).toMatchObject({ message: expect.any(String) })
  })
})
