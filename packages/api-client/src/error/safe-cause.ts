import { type Redact, redactValue } from './redact.ts'

const maxDepth = 5
const maxErrors = 10
const maxTextLength = 4000

/**
 * Returns a safe copy of an error: name, message, code, stack, causes. Other members of a transport error, such as the
 * request or the raw response, may contain the secret key and are omitted.
 *
 * @param redact - Removes the secret from a text.
 */
export function toSafeCause(error: unknown, redact: Redact): unknown {
  try {
    return copyError(error, redact, 0)
  } catch {
    return new Error('The underlying error cannot be read.')
  }
}

function copyError(error: unknown, redact: Redact, depth: number): unknown {
  const clip = (value: unknown): string => redact(String(value), maxTextLength)
  // A function may have as many members as an object, in addition to its source text.
  if (typeof error === 'function') return new Error('A function was thrown.')
  if (typeof error !== 'object' || error === null)
    return typeof error === 'string' || typeof error === 'symbol' ? clip(String(error)) : redactValue(error, redact)
  const { name, message, code, stack, cause, errors } = error as Readonly<Record<string, unknown>>
  const copy = new Error(typeof message === 'string' ? clip(message) : 'A value that is not an error was thrown.')
  const define = (key: string, value: unknown): void => {
    Object.defineProperty(copy, key, { value, configurable: true, writable: true })
  }
  if (typeof name === 'string') define('name', clip(name))
  if (typeof code === 'string' || typeof code === 'number') Object.assign(copy, { code: copyError(code, redact, 0) })
  if (typeof stack === 'string') define('stack', clip(stack))
  if (depth >= maxDepth) return copy
  if (cause !== undefined) define('cause', copyError(cause, redact, depth + 1))
  if (Array.isArray(errors))
    define(
      'errors',
      errors.slice(0, maxErrors).map((item) => copyError(item, redact, depth + 1)),
    )
  return copy
}
