import type { JsonObject, StepState } from '@trestle/protocol'
import type { StepContext } from '../workflow/step.ts'
import type { StepKindRow } from '../workflow/step-kinds.ts'

/** Stands for a step that the run has called. */
export const called: unique symbol = Symbol('called')

/**
 * The steps of a run by id: the stored entry of a step that was not called yet, or {@link called}. There is no object
 * of our own for each entry: a thousand of them would be moved to the old generation and keep each call's data there.
 */
export type StepSlots = Map<string, StepState | typeof called>

/**
 * Sorts the stored results by step. Of two entries for one step the first, the newest, counts.
 *
 * @param state - As the call brought it, newest first.
 * @source Protocol, "Running a step".
 */
export function toSlots(state: readonly StepState[]): StepSlots {
  const slots: StepSlots = new Map()
  // From the oldest on, so that the newest is what stays.
  for (let index = state.length - 1; index >= 0; index--) {
    const stored = state[index]
    if (stored) slots.set(stored.stepId, stored)
  }
  return slots
}

/**
 * Gives the stored outputs by step id, for templates and `skip`.
 *
 * @param state - As the call brought it, newest first.
 * @param stepId - The requested step, whose own entry is ignored.
 * @param shown - Sample results of a preview; they win, since stored ones are laid over them already.
 */
export function toOutputs(
  state: readonly StepState[],
  stepId: string,
  shown: ReadonlyMap<string, JsonObject>,
): Readonly<Record<string, JsonObject>> {
  const outputs: Record<string, JsonObject> = Object.create(null)
  for (const stored of state) outputs[stored.stepId] ??= stored.outputs
  for (const [id, result] of shown) outputs[id] = result
  delete outputs[stepId]
  return outputs
}

/**
 * Gives what a stored step left behind, before its schema was asked: its outputs, or the empty result of its kind when
 * it did not complete.
 *
 * @param stored - The entry.
 * @param row - The kind of step.
 */
export function toStoredResult(stored: StepState, row: StepKindRow): JsonObject {
  return stored.state.status === 'completed' ? stored.outputs : structuredClone(row.empty)
}

/** Keeps a context out of JSON, also where a result was spread into something that is sent. */
const leftOut = { toJSON: (): undefined => undefined }

/**
 * Tells how a step ended.
 *
 * @param state - The stored status and error.
 * @param timestamp - When the result was read, milliseconds since 1970.
 */
export function toContext(state: StepState['state'], timestamp: number): StepContext {
  const error = state.error !== undefined && state.error !== null
  return Object.assign(Object.create(leftOut), { timestamp, state: { status: state.status, error } })
}

/**
 * Gives a result the field that tells how its step ended; JSON leaves it out.
 *
 * @param result - The result; returned as it is where it cannot take a field.
 * @param context - How the step ended.
 */
export function withContext(result: unknown, context: StepContext): unknown {
  if (typeof result === 'object' && result !== null && Object.isExtensible(result))
    // Assigned, because defining it costs ten times as much and there may be a thousand.
    (result as { _ctx?: StepContext })._ctx = context
  return result
}
