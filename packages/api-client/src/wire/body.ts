import { ApiError } from '../error/error.ts'
import type { Operation } from '../operations/operation.ts'

/**
 * Writes the body of a request as JSON.
 *
 * @returns The JSON text, or `undefined` for a request without a body.
 * @throws ApiError - `RequestInvalid` for a body that is missing, not allowed, or not serializable.
 */
export function toBodyText(operation: Operation, body: unknown): string | undefined {
  const { method, path } = operation
  if (operation.body !== true) {
    if (body === undefined) return undefined
    throw new ApiError('RequestInvalid', `${method} ${path} takes no body.`)
  }
  if (body === undefined) throw new ApiError('RequestInvalid', `${method} ${path} needs a body.`)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('RequestInvalid', `The body of ${method} ${path} must be an object.`)
  }
  const text = stringify(body)
  // A toJSON method may return anything.
  if (text?.startsWith('{')) return text
  throw new ApiError('RequestInvalid', `The body of ${method} ${path} cannot be serialized as a JSON object.`)
}

function stringify(body: object): string | undefined {
  try {
    return JSON.stringify(body, keepWhole)
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    const hint = 'it has a cycle or a BigInt, is nested too deeply, or has a toJSON that throws'
    throw new ApiError('RequestInvalid', `The body cannot be serialized as JSON: ${hint}.`, { cause })
  }
}

/** Returns a value unchanged, unless JSON would drop or change it. */
function keepWhole(name: string, value: unknown): unknown {
  const lost = nameOfLost(value)
  if (lost === undefined) return value
  const place = name === '' ? 'it' : `"${name.slice(0, 100)}"`
  throw new ApiError('RequestInvalid', `The body cannot be serialized as JSON: ${place} is ${lost}.`)
}

/** Objects that JSON writes as the value they wrap. */
const wrappers: readonly string[] = ['Object', 'Number', 'String', 'Boolean']

function nameOfLost(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `the number ${value}`
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1)
  // A Map, a Set, an error or an unawaited promise would be serialized as {}.
  return wrappers.includes(kind) || Object.keys(value).length > 0 ? undefined : `of the kind ${kind}`
}
