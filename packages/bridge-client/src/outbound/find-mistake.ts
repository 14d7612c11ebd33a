import { isObject } from '@trestle/protocol'
import { token } from '../base/check-forms.ts'

const framing = /^(?:connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

/** The allowed fields of a request. A misspelled field would otherwise be ignored. */
const members: readonly string[] = ['method', 'url', 'headers', 'body', 'http2']

/** Returns what is wrong with a request, or `undefined` if it can be sent. */
export function findMistake(request: unknown): string | undefined {
  if (!isObject(request)) return 'the request is not an object'
  const unknown = Object.keys(request).find((name) => !members.includes(name))
  if (unknown !== undefined) return `unknown request field ${unknown}`
  const { method, headers = {}, body, http2 } = request
  if (typeof method !== 'string' || !token.test(method) || method === 'CONNECT') return 'the method is not allowed'
  if (body !== undefined && typeof body !== 'string') return 'the body is not a string'
  if (http2 !== undefined && typeof http2 !== 'boolean') return 'http2 is not true or false'
  if (body !== undefined && /\p{Surrogate}/u.test(body)) return 'the body has unpaired surrogates'
  return findHeaderMistake(headers)
}

function findHeaderMistake(headers: unknown): string | undefined {
  // With a Headers object or a Map, no headers at all would be sent.
  if (Object.prototype.toString.call(headers) !== '[object Object]') return 'the headers are not an object of strings'
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(headers as object)) {
    if (!token.test(name) || framing.test(name)) return `the header ${name} is not allowed`
    if (typeof value !== 'string' || /[^\t\x20-\x7e\x80-\xff]/.test(value)) return `the value of ${name} is not allowed`
    if (seen.has(name.toLowerCase())) return `the header ${name} is repeated`
    seen.add(name.toLowerCase())
  }
  return undefined
}
