import { connect } from 'node:net'
import { sign } from '@trestle/protocol'
import { secret } from './call.ts'

/** The data received over a socket. */
export interface RawAnswer {
  /** The status; `close` if the connection ended without a response, `silent` if it stayed open without one. */
  readonly status: number | 'close' | 'silent'
  /** The parsed body; `undefined` if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a case knows what it asked for.
  readonly json: any
}

/** A piece of a request; a number is a pause in milliseconds, `null` closes the client's half of the connection. */
export type Piece = string | Buffer | number | null

/**
 * Sends bytes over a new socket and reads the response, until the connection closes or is silent.
 *
 * @param waitMs - How long to wait for a response.
 */
export async function sendRaw(url: string, pieces: readonly Piece[], waitMs = 2500): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  const ended = new Promise<'close'>((resolve) => socket.on('close', () => resolve('close')))
  const answered = new Promise<'answered'>((resolve) =>
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (isComplete(Buffer.concat(chunks))) resolve('answered')
    }),
  )
  // A server that closes the connection during the write is one of the valid outcomes.
  socket.on('error', () => undefined)
  void write(socket, pieces)
  const timer = new Promise<'silent'>((resolve) => setTimeout(resolve, waitMs, 'silent').unref())
  const end = await Promise.race([ended, answered, timer])
  socket.destroy()
  return toRawAnswer(Buffer.concat(chunks), end)
}

async function write(socket: ReturnType<typeof connect>, pieces: readonly Piece[]): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return
    if (piece === null) socket.end()
    else if (typeof piece === 'number') await new Promise((resolve) => setTimeout(resolve, piece))
    else await new Promise((resolve) => socket.write(piece, resolve))
  }
}

function isComplete(bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  const at = text.indexOf('\r\n\r\n')
  if (at < 0) return false
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, at))?.[1]
  if (length !== undefined) return bytes.length >= at + 4 + Number(length)
  return /transfer-encoding: *chunked/i.test(text.slice(0, at)) && text.endsWith('0\r\n\r\n')
}

function toRawAnswer(bytes: Buffer, end: 'close' | 'answered' | 'silent'): RawAnswer {
  const text = bytes.toString('utf8')
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1]
  const body = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    json = undefined
  }
  return { status: status ? Number(status) : end === 'answered' ? 'close' : end, json }
}

/** Writes the headers of a request. */
export function head(line: string, headers: readonly string[]): string {
  return `${[line, ...headers].join('\r\n')}\r\n\r\n`
}

/** Signs a body and returns its signature header. */
export async function signatureLine(body: string | Buffer): Promise<string> {
  return `service-signature: ${await sign(secret, body)}`
}
