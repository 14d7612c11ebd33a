import { isObject, type StepState } from '@trestle/protocol'
import { isPlain } from '../../base/json.ts'
import type { StepContext } from '../kinds/signature.ts'

/** Omits a context from JSON, even if a result was spread into another object. */
const leftOut = { toJSON: (): undefined => undefined }

/**
 * Returns the outcome of a step.
 *
 * @param timestamp - When the result was read, in milliseconds since 1970.
 */
export function toContext(state: StepState['state'], timestamp: number): StepContext {
  const error = state.error !== undefined && state.error !== null
  const context = Object.assign(Object.create(leftOut), { timestamp, state: { status: state.status, error } })
  if (error) errors.set(context, state.error)
  return context
}

/** The stored error of each context that has one. */
const errors = new WeakMap<StepContext, unknown>()

/**
 * Returns the stored error of a failed step.
 *
 * @param context - How the step ended.
 */
export function errorOf(context: StepContext | undefined): { readonly code: string; readonly message: string } {
  const stored = context && errors.get(context)
  const { code, message } = isObject(stored) ? stored : {}
  return {
    code: typeof code === 'string' ? code : 'StepExecutionFailedError',
    message: typeof message === 'string' ? message : 'The step failed.',
  }
}

/**
 * Adds the outcome of a step to its result; JSON omits it.
 *
 * @param result - The result, which is modified. If it is frozen, a copy is returned; other values that cannot be
 *   extended are returned unchanged.
 */
export function withContext(result: unknown, context: StepContext): unknown {
  try {
    // Assigning is twice as fast as checking first, and there may be a thousand results.
    const fields = result as { _ctx?: StepContext }
    fields._ctx = context
    return result
  } catch {
    const copy = copyOf(result)
    return copy === result ? result : withContext(copy, context)
  }
}

/**
 * Copies a plain object or a list, to add a context to the copy. Other values are returned unchanged, because their
 * classes may have private fields.
 */
export function copyOf(result: unknown): unknown {
  if (Array.isArray(result)) return [...result]
  // Adding a field to a copy is several times slower than setting an existing one.
  return isObject(result) && isPlain(result) ? { _ctx: undefined, ...result } : result
}
