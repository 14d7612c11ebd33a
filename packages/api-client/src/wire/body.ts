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
    return JSON.stringify(body, createCheck())
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    const hint = 'it has a cycle or a BigInt, is nested too deeply, or has a toJSON that throws'
    throw new ApiError('RequestInvalid', `The body cannot be serialized as JSON: ${hint}.`, { cause })
  }
}

/** Creates a replacer that returns every value unchanged, and rejects values that JSON would drop or change. */
function createCheck(): (this: unknown, name: string, value: unknown) => unknown {
  /** The objects around the current value, with their names. */
  const parents: { readonly name: string; readonly value: unknown }[] = []
  return function check(name, value) {
    while (parents.length > 0 && parents.at(-1)?.value !== this) parents.pop()
    const lost = nameOfLost(value) ?? nameOfEmpty(this, name, value)
    if (lost === undefined) {
      parents.push({ name, value })
      return value
    }
    const path = [...parents, { name }]
      .map((one) => one.name)
      .filter((one) => one !== '')
      .join('.')
    const place = path === '' ? 'it' : `"${path.slice(0, 200)}"`
    throw new ApiError('RequestInvalid', `The body cannot be serialized as JSON: ${place} is ${lost}.`)
  }
}

/** Names a value that JSON would write as null. */
function nameOfEmpty(parent: unknown, name: string, value: unknown): string | undefined {
  if (value === undefined) return Array.isArray(parent) ? 'undefined, which a list cannot contain' : undefined
  if (value !== null) return undefined
  // The value is the result of toJSON.
  const original: unknown = Reflect.get(Object(parent), name)
  return kindOf(original) === 'Date' ? 'an invalid date' : undefined
}

/** Objects that JSON writes as the value they wrap. */
const wrappers: readonly string[] = ['Object', 'Number', 'String', 'Boolean']

function nameOfLost(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `the number ${value}`
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const kind = kindOf(value)
  // A Map, a Set, an error or an unawaited promise would be serialized as {}.
  return wrappers.includes(kind) || Object.keys(value).length > 0 ? undefined : `of the kind ${kind}`
}

const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice('[object '.length, -1)
