import { sign, signatureHeader } from '@trestle/protocol'
import supertest from 'supertest'
import { findInProcess } from './mounts/fetch.ts'

/** The secret of all bridges of the suite, unless a case overrides it. */
export const secret = 'the secret key of the environment'

/** The call of a case; omitted parts are as the service would send them. */
export interface Call {
  /** @default POST with a body, otherwise GET */
  readonly method?: string
  /** The query, as an object, or as text without its question mark. */
  readonly query?: string | Readonly<Record<string, string>>
  /** An object is sent as JSON; text and bytes are sent unchanged. */
  readonly body?: unknown
  /** Additional headers; `null` removes one. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** The signing key. */
  readonly key?: string
  /** The signature header; `null` sends none. */
  readonly signature?: string | null
  /** The text that is signed instead of the body. */
  readonly signed?: string | Uint8Array
  readonly nowMs?: number
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The parsed body; `undefined` if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a case knows what it asked for.
  readonly json: any
}

/** Sends a call over a socket, or directly to `bridge.fetch` without a server. */
export async function send(url: string, call: Call = {}): Promise<Answer> {
  const { query = '', body } = call
  const bytes = toBytes(body)
  const method = call.method ?? (bytes ? 'POST' : 'GET')
  const signature = await toSignature(call, method, bytes)
  const headers: Record<string, string> = {}
  const given = {
    ...(bytes && { 'content-type': 'application/json' }),
    ...(signature !== null && { [signatureHeader]: signature }),
    ...call.headers,
  }
  for (const [name, value] of Object.entries(given)) if (value !== null) headers[name] = value
  const search = typeof query === 'string' ? query : new URLSearchParams(query).toString()
  const request = { method, target: search === '' ? '' : `?${search}`, headers, bytes }
  return findInProcess(url) ? sendInProcess(url, request) : sendOverSocket(url, request)
}

interface Outgoing {
  readonly method: string
  readonly target: string
  readonly headers: Record<string, string>
  readonly bytes: Buffer | undefined
}

async function toSignature(call: Call, method: string, bytes: Uint8Array | undefined): Promise<string | null> {
  if (call.signature !== undefined) return call.signature
  const signed = call.signed ?? (method === 'POST' ? (bytes ?? '') : '{}')
  return sign(call.key ?? secret, signed, { nowMs: call.nowMs ?? Date.now() })
}

function toBytes(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body as string)
  return Buffer.from(JSON.stringify(body))
}

async function sendInProcess(url: string, { method, target, headers, bytes }: Outgoing): Promise<Answer> {
  const body = bytes && method !== 'GET' && method !== 'HEAD' ? new Uint8Array(bytes) : null
  const request = new Request(`http://bridge.test/api/bridge${target}`, { method, headers, body })
  const response = (await findInProcess(url)?.fetch(request)) as Response
  return toAnswer(response.status, Object.fromEntries(response.headers), await response.text())
}

async function sendOverSocket(url: string, { method, target, headers, bytes }: Outgoing): Promise<Answer> {
  const agent = supertest(url) as unknown as Record<string, (path: string) => supertest.Test>
  const start = agent[method.toLowerCase()]
  if (!start) throw new Error(`supertest cannot send ${method}`)
  const test = start(target)
    .set(headers)
    .redirects(0)
    .ok(() => true)
    .buffer(true)
    .parse(toText)
  // Text would be changed during transport.
  const response = await (bytes ? test.serialize(() => bytes as unknown as string).send(bytes) : test)
  return toAnswer(response.status, response.headers, typeof response.body === 'string' ? response.body : '')
}

function toText(response: unknown, done: (error: Error | null, body: string) => void): void {
  const stream = response as NodeJS.ReadableStream
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer | string) => chunks.push(Buffer.from(chunk as string)))
  stream.on('end', () => done(null, Buffer.concat(chunks).toString()))
}

function toAnswer(status: number, headers: Record<string, string>, text: string): Answer {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return { status, headers, text, json }
}
