import { event } from '../fixture.ts'
import { head, type Piece, type RawAnswer, signatureLine } from '../raw.ts'

/** The body limit of the called bridge, in bytes. */
export const maxBodyBytes = 500_000

const good = JSON.stringify({ ...event, payload: { a: '語' } })
const large = JSON.stringify({ payload: { a: 'x'.repeat(maxBodyBytes) } })
const json = 'content-type: application/json'
const host = 'Host: bridge.test'

/** The address of the bridge. */
export interface Place {
  /** The path of the bridge. */
  readonly path: string
  /** Path and query of a successful call. */
  readonly echo: string
}

/** A raw request. */
export interface RawCase {
  readonly name: string
  readonly send: (place: Place) => Promise<readonly Piece[]> | readonly Piece[]
  /** The bridge's response, if nothing in front of the bridge responds first. */
  readonly status: RawAnswer['status']
  readonly code?: string
  /** If only the parsed object is available, the call is rejected instead: 401 SignatureMismatchError. */
  readonly lostWhenParsed?: true
}

const health =
  (line: (path: string) => string, headers: readonly string[]) =>
  (place: Place): readonly Piece[] => [head(line(place.path), headers)]
const get = (path: string): string => `GET ${path} HTTP/1.1`

/** A signed call with its body. */
export async function post(
  place: Place,
  body: string | Buffer,
  headers: readonly string[] = [],
): Promise<readonly Piece[]> {
  const length = `content-length: ${Buffer.byteLength(body)}`
  return [
    head(`POST ${place.echo} HTTP/1.1`, [host, json, length, await signatureLine(body), ...headers]),
    Buffer.from(body),
  ]
}

async function chunked(place: Place, body: Buffer, chunkBytes: number): Promise<readonly Piece[]> {
  const pieces: Piece[] = [
    head(`POST ${place.echo} HTTP/1.1`, [host, json, 'transfer-encoding: chunked', await signatureLine(body)]),
  ]
  for (let at = 0; at < body.length; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes)
    pieces.push(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]))
  }
  return [...pieces, '0\r\n\r\n']
}

/** Headers only, to show whether the body is awaited. */
export async function bodiless(place: Place, headers: readonly string[]): Promise<readonly Piece[]> {
  return [head(`POST ${place.echo} HTTP/1.1`, [host, json, ...headers])]
}

const nestedControls = (): string => {
  const levels = 20_000
  return `{"controls":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`
}

/** What a caller can do with a socket. */
export const rawCases: readonly RawCase[] = [
  // Hosts and targets are ignored.
  ...['[', 'a:99999', 'a b', '', 'x'.repeat(2000), 'http://x', '::1', '%', '\\', 'a/b@c#d'].map(
    (value): RawCase => ({ name: hostName(value), send: health(get, [`Host: ${value}`]), status: 200 }),
  ),
  { name: 'HTTP/1.1 without Host', send: health(get, []), status: 200 },
  { name: 'Host twice', send: health(get, [host, 'Host: other.test']), status: 200 },
  { name: 'absolute-form URL', send: health((path) => `GET http://other.test${path} HTTP/1.1`, [host]), status: 200 },
  {
    name: 'absolute-form URL with a bad port',
    send: health((path) => `GET http://other.test:99999${path} HTTP/1.1`, [host]),
    status: 200,
  },
  { name: 'HTTP/1.0', send: health((path) => `GET ${path} HTTP/1.0`, [host]), status: 200 },
  { name: 'HTTP/1.0 without Host', send: health((path) => `GET ${path} HTTP/1.0`, []), status: 200 },
  {
    name: 'a query that cannot be decoded',
    send: health((path) => `GET ${path}?action=%E0%A4%A&%=% HTTP/1.1`, [host]),
    status: 401,
  },
  {
    name: 'a query of 10 000 letters',
    send: health((path) => `GET ${path}?x=${'y'.repeat(10_000)} HTTP/1.1`, [host]),
    status: 200,
  },
  {
    name: 'a query with brackets',
    send: health((path) => `GET ${path}?a[b]=1&a[__proto__]=2&action[]=x HTTP/1.1`, [host]),
    status: 200,
  },
  // Framing.
  {
    name: 'broken chunks',
    send: async ({ echo }) => [
      head(`POST ${echo} HTTP/1.1`, [host, json, 'transfer-encoding: chunked', await signatureLine(good)]),
      'zz\r\nnonsense\r\n0\r\n\r\n',
    ],
    status: 400,
  },
  {
    name: 'two different content-lengths',
    send: async ({ echo }) => [
      head(`POST ${echo} HTTP/1.1`, [host, json, 'content-length: 5', 'content-length: 6', await signatureLine(good)]),
      'hello!',
    ],
    status: 400,
  },
  {
    name: 'content-length and chunks',
    send: async ({ echo }) => [
      head(`POST ${echo} HTTP/1.1`, [
        host,
        json,
        'content-length: 5',
        'transfer-encoding: chunked',
        await signatureLine(good),
      ]),
      '5\r\nhello\r\n0\r\n\r\n',
    ],
    status: 400,
  },
  { name: 'an unknown method', send: health((path) => `NONSENSE ${path} HTTP/1.1`, [host]), status: 405 },
  {
    name: 'PROPFIND',
    send: health((path) => `PROPFIND ${path} HTTP/1.1`, [host]),
    status: 405,
    code: 'MethodNotAllowedError',
  },
  {
    name: 'TRACE',
    send: health((path) => `TRACE ${path} HTTP/1.1`, [host]),
    status: 405,
    code: 'MethodNotAllowedError',
  },
  { name: 'CONNECT', send: health(() => 'CONNECT other.test:443 HTTP/1.1', [host]), status: 405 },
  { name: 'a header without a colon', send: health(get, [host, 'nonsense']), status: 400 },
  { name: 'a header of 40 kB', send: health(get, [host, `x: ${'y'.repeat(40_000)}`]), status: 431 },
  { name: 'not HTTP at all', send: () => ['\u0016\u0003\u0001nonsense\r\n\r\n'], status: 400 },
  // Signatures over a socket.
  { name: 'a body in one piece', send: (place) => post(place, good), status: 200 },
  {
    name: 'chunks of one byte',
    send: (place) => chunked(place, Buffer.from(good), 1),
    status: 200,
    lostWhenParsed: true,
  },
  {
    name: 'chunks of two bytes',
    send: (place) => chunked(place, Buffer.from(good), 2),
    status: 200,
    lostWhenParsed: true,
  },
  {
    name: 'the signature twice',
    send: async (place) => post(place, good, [await signatureLine(good)]),
    status: 401,
    code: 'SignatureInvalidError',
  },
  {
    name: 'an empty signature',
    send: (place) => bodiless(place, ['content-length: 0', 'service-signature:']),
    status: 401,
    code: 'SignatureInvalidError',
  },
  {
    name: 'a signature of bytes beyond ASCII',
    send: (place) => [
      head(`POST ${place.echo} HTTP/1.1`, [host, json, 'content-length: 0']).replace('\r\n\r\n', ''),
      '\r\nservice-signature: t=1,v1=',
      Buffer.from([0xff, 0xfe]),
      '\r\n\r\n',
    ],
    status: 401,
    code: 'SignatureExpiredError',
  },
  {
    name: 'GET discover with a body',
    send: async ({ path }) => [
      head(`GET ${path}?action=discover HTTP/1.1`, [host, json, 'content-length: 7', await signatureLine('{}')]),
      '{"a":1}',
    ],
    status: 200,
  },
  // Bodies that are rejected before they are read, or cannot be read.
  {
    name: 'body of a refused call never sent',
    send: (place) => bodiless(place, ['content-length: 1000']),
    status: 401,
    code: 'SignatureNotFoundError',
  },
  {
    name: 'content-length over the limit, nothing sent',
    send: async (place) => bodiless(place, [`content-length: ${maxBodyBytes + 1}`, await signatureLine(good)]),
    status: 413,
    code: 'PayloadTooLarge',
  },
  {
    name: 'body over the limit, with content-length',
    send: (place) => post(place, large),
    status: 413,
    code: 'PayloadTooLarge',
  },
  {
    name: 'body over the limit, in chunks',
    send: (place) => chunked(place, Buffer.from(large), 65_536),
    status: 413,
    code: 'PayloadTooLarge',
    lostWhenParsed: true,
  },
  {
    name: 'body cut short',
    send: async (place) => [...(await post(place, good)).slice(0, 1), good.slice(0, 10), null],
    status: 'close',
  },
  {
    name: 'slow body',
    send: async (place) => [
      ...(await bodiless(place, ['content-length: 1000', await signatureLine('{}')])),
      ...Array.from({ length: 20 }, (): Piece[] => ['{', 50]).flat(),
    ],
    status: 401,
    code: 'SignatureMismatchError',
  },
  // Bodies that break parsers.
  {
    name: '100 000 nested brackets',
    send: (place) => post(place, '['.repeat(100_000)),
    status: 400,
    code: 'RequestBodyInvalidError',
  },
  {
    name: '100 000 nested brackets, closed',
    send: (place) => post(place, `{"payload":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    status: 400,
    code: 'RequestBodyInvalidError',
    lostWhenParsed: true,
  },
  {
    name: '20 000 nested objects in controls',
    send: (place) => post(place, nestedControls()),
    status: 400,
    code: 'RequestBodyInvalidError',
    lostWhenParsed: true,
  },
]

function hostName(value: string): string {
  if (value === '[') return 'Host: ['
  if (value === 'a:99999') return 'Host with a port out of range'
  if (value === 'a b') return 'Host with spaces'
  if (value === '') return 'empty Host'
  return `Host: ${value.slice(0, 20)}`
}
