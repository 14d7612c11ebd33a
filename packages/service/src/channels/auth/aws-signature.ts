import { createHash, createHmac } from 'node:crypto'
import type { AwsAuth } from '../base/request-auth.ts'

/** A request to be signed. */
export interface SignedRequest {
  readonly method: string
  readonly url: string
  /** Headers, in lowercase. Only `content-type` and AWS headers are signed, because proxies may change the others. */
  readonly headers: Readonly<Record<string, string>>
  /** The body. */
  readonly text: string
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/**
 * Returns the headers that authenticate a request to AWS, using Signature Version 4. The request path must not need
 * escaping.
 *
 * @param auth - Key, region and service.
 * @param request - The request exactly as it will be sent.
 */
export function signForAws(auth: AwsAuth, request: SignedRequest): Readonly<Record<string, string>> {
  const { accessKeyId, secretKey, region, service } = auth
  const { method, text, nowMs } = request
  const url = new URL(request.url)
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const own = { host: url.host, 'x-amz-date': time }
  const given = Object.entries(request.headers).filter(([name]) => /^(?:content-type|x-amz-.*)$/.test(name))
  const headers = [...given, ...Object.entries(own)].sort(([one], [other]) => compare(one, other))
  const names = headers.map(([name]) => name).join(';')
  const lines = headers.map(([name, value]) => `${name}:${value.trim().replaceAll(/ +/g, ' ')}\n`).join('')
  const canonical = [method, url.pathname, toCanonicalQuery(url), lines, names, sha256(text)].join('\n')
  const scope = [time.slice(0, 8), region, service, 'aws4_request']
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n')
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secretKey}`)
  const signature = hmac(key, toSign).toString('hex')
  const credential = [accessKeyId, ...scope].join('/')
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`
  return { 'x-amz-date': time, authorization }
}

function toCanonicalQuery({ searchParams }: URL): string {
  const pairs = [...searchParams].map(([name, value]) => [encode(name), encode(value)] as const)
  const sorted = pairs.sort((one, other) => compare(one[0], other[0]) || compare(one[1], other[1]))
  return sorted.map((pair) => pair.join('=')).join('&')
}

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
