import type { StepState } from '@trestle/protocol'
import type { StepContext } from '../kinds/signature.ts'

/** Keeps a context out of JSON, also where a result was spread into something that is sent. */
const leftOut = { toJSON: (): undefined => undefined }

/**
 * Returns how a step ended.
 *
 * @param state - The stored status and error.
 * @param timestamp - When the result was read, milliseconds since 1970.
 */
export function toContext(state: StepState['state'], timestamp: number): StepContext {
  const error = state.error !== undefined && state.error !== null
  return Object.assign(Object.create(leftOut), { timestamp, state: { status: state.status, error } })
}

/**
 * Returns a result the field that tells how its step ended; JSON leaves it out.
 *
 * @param result - The result; returned as it is where it cannot take a field.
 * @param context - How the step ended.
 */
export function withContext(result: unknown, context: StepContext): unknown {
  try {
    // Tried, because asking first costs twice as much as assigning, and there may be a thousand.
    const fields = result as { _ctx?: StepContext }
    fields._ctx = context
  } catch {
    // No object, or one that takes no field.
  }
  return result
}
