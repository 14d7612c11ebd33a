import type { ResolvedOptions } from '../config/options.ts'
import { ApiError } from '../error/error.ts'
import type { Operation } from '../operations/operation.ts'
import { toBodyText } from './body.ts'
import { toQuery } from './query.ts'

/** A request as passed to `fetch`, the same for every attempt. */
export interface ApiRequest {
  readonly method: string
  /** The address it is sent to; always below the base address. */
  readonly url: string
  /** All headers, including the secret. */
  readonly headers: Readonly<Record<string, string>>
  /** The JSON text, if there is a body. */
  readonly body: string | undefined
  /** The key of the logical call: POST and PATCH only. */
  readonly idempotencyKey: string | undefined
}

/** The untyped input of a call. */
export type AnyInput = Readonly<Record<string, unknown>>

const keyedMethods: readonly string[] = ['POST', 'PATCH']
const maxKeyLength = 255

/**
 * Creates the request of a call.
 *
 * @param input - Path parameters, `query` and `body`.
 * @param options - Base address, secret, and the caller's idempotency key.
 * @throws ApiError - `RequestInvalid` for a parameter, a body or a key that cannot be sent.
 * @source service-api.md#authentication, service-api.md#idempotency
 */
export function toRequest(
  operation: Operation,
  input: AnyInput,
  options: ResolvedOptions & { readonly idempotencyKey?: string | undefined },
): ApiRequest {
  const { method } = operation
  const { query, body, ...parameters } = input
  const text = toBodyText(operation, body)
  const idempotencyKey = toKey(method, options)
  return {
    method,
    url: options.baseUrl + toPath(operation, parameters) + toQuery(query),
    headers: {
      accept: 'application/json',
      authorization: `ApiKey ${options.secretKey}`,
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: text,
    idempotencyKey,
  }
}

/**
 * Checks an idempotency key and returns it.
 *
 * @throws ApiError - `RequestInvalid`: it is not 1 to 255 characters, or cannot be sent in a header.
 */
export function checkKey(key: unknown): string {
  // HTTP strips whitespace around a header value, which would change the caller's key.
  const isSendable = typeof key === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key)
  if (isSendable && key.length <= maxKeyLength) return key
  throw new ApiError('RequestInvalid', `idempotencyKey must have 1 to ${maxKeyLength} printable ASCII characters.`)
}

function toKey(method: string, options: ResolvedOptions & { idempotencyKey?: string | undefined }): string | undefined {
  const { idempotencyKey, createKey } = options
  if (keyedMethods.includes(method)) return checkKey(idempotencyKey ?? createKey())
  if (idempotencyKey === undefined) return undefined
  throw new ApiError('RequestInvalid', `idempotencyKey is for POST and PATCH; this operation is ${method}.`)
}

function toPath({ path, choices = {} }: Operation, parameters: AnyInput): string {
  const unused = new Set(Object.keys(parameters))
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = unused.delete(name) ? parameters[name] : undefined
    return toSegment(name, value, Object.hasOwn(choices, name) ? choices[name] : undefined)
  })
  if (unused.size === 0) return filled
  throw new ApiError('RequestInvalid', `${path} has no parameter ${[...unused].join(', ')}.`)
}

function toSegment(name: string, value: unknown, choices: readonly string[] | undefined): string {
  if (choices !== undefined && !choices.includes(value as string)) {
    throw new ApiError('RequestInvalid', `${name} must be ${choices.map((choice) => `"${choice}"`).join(' or ')}.`)
  }
  // A dot segment cannot be escaped: it would send the call, with its secret, to another operation.
  if (typeof value === 'string' && !/^\.{0,2}$/.test(value) && !/\p{Surrogate}/u.test(value))
    return encodeURIComponent(value)
  throw new ApiError('RequestInvalid', `${name} must be a non-empty string other than "." and "..".`)
}
