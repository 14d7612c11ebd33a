import type { JsonObject, StepState } from '@trestle/protocol'
import type { StepContext } from '../workflow/step.ts'
import type { StepKindRow } from '../workflow/step-kinds.ts'

/** What is known of a step id in one run. */
export interface StepSlot {
  /** The stored entry; `undefined` where there is none. */
  readonly stored: StepState | undefined
  /** Whether the run has called the step. */
  called: boolean
}

/** The steps of a run, by id. */
export type StepSlots = Map<string, StepSlot>

/**
 * Sorts the stored results by step. Of two entries for one step the first, the newest, counts.
 *
 * @param state - As the call brought it, newest first.
 * @source Protocol, "Running a step".
 */
export function toSlots(state: readonly StepState[]): StepSlots {
  const slots: StepSlots = new Map()
  for (const stored of state) if (!slots.has(stored.stepId)) slots.set(stored.stepId, { stored, called: false })
  return slots
}

/**
 * Gives the stored outputs by step id, for templates and `skip`.
 *
 * @param slots - The steps of the run.
 * @param stepId - The requested step, whose own entry is ignored.
 */
export function toOutputs(slots: StepSlots, stepId: string): Readonly<Record<string, JsonObject>> {
  const outputs: Record<string, JsonObject> = Object.create(null)
  for (const [id, { stored }] of slots) if (stored && id !== stepId) outputs[id] = stored.outputs
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

/**
 * Tells a result how its step ended, in a field that spreads and JSON leave out.
 *
 * @param result - The result; returned as it is where it cannot take a field.
 * @param state - How the step ended.
 * @param timestamp - When the result was read, milliseconds since 1970.
 */
export function withContext(result: unknown, state: StepState['state'], timestamp: number): unknown {
  if (typeof result !== 'object' || result === null || !Object.isExtensible(result)) return result
  const error = state.error !== undefined && state.error !== null
  const value: StepContext = { timestamp, state: { status: state.status, error } }
  return Object.defineProperty(result, '_ctx', { value, configurable: true })
}
