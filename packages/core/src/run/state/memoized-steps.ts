import type { JsonObject, StepState } from '@trestle/protocol'
import type { StepKindRow } from '../../workflow/kinds/step-kind.ts'

/** Marks a step that the run has called. */
export const called: unique symbol = Symbol('called')

/**
 * The steps of a run by id: the stored entry of an uncalled step, or {@link called}. Entries are not wrapped in
 * objects: a thousand wrappers would be moved to the old generation and keep each call's data alive there.
 */
export type MemoizedSteps = Map<string, StepState | typeof called>

/**
 * Indexes the stored results by step. Of duplicate entries, the first (newest) one is used.
 *
 * @param state - The state in the call, newest first.
 * @source bridge-protocol.md#running-a-step
 */
export function toMemoizedSteps(state: readonly StepState[]): MemoizedSteps {
  const slots: MemoizedSteps = new Map()
  // Starts with the oldest, so that the newest entry wins, and the order matches completion.
  for (let index = state.length - 1; index >= 0; index--) {
    const stored = state[index]
    if (!stored) continue
    const { size } = slots
    slots.set(stored.stepId, stored)
    if (slots.size > size) continue
    // A repeated step has the position of its last completion.
    slots.delete(stored.stepId)
    slots.set(stored.stepId, stored)
  }
  return slots
}

/**
 * Returns the stored results, newest first, with only the newest entry of each step.
 *
 * @param state - The state from the call, newest first.
 * @param steps - The same results, indexed by step.
 */
export function toStored(state: readonly StepState[], steps: MemoizedSteps): readonly StepState[] {
  return steps.size === state.length ? state : state.filter((stored) => steps.get(stored.stepId) === stored)
}

/**
 * Returns the stored outputs by step id, for templates and `skip`.
 *
 * @param state - The state from the call, newest first.
 * @param stepId - The requested step, whose own entry is ignored.
 * @param sampleResults - Sample results of a preview, which take precedence because stored results are already merged into
 * them.
 */
export function toOutputs(
  state: readonly StepState[],
  stepId: string,
  sampleResults: ReadonlyMap<string, JsonObject> | undefined,
): Readonly<Record<string, JsonObject>> {
  const outputs: Record<string, JsonObject> = Object.create(null)
  for (const stored of state) outputs[stored.stepId] ??= stored.outputs
  if (sampleResults) for (const [id, result] of sampleResults) outputs[id] = result
  delete outputs[stepId]
  return outputs
}

/**
 * Returns the result of a stored step before its schema is applied: its outputs, or the empty result of its kind if it
 * did not complete.
 *
 * @param stored - The stored entry.
 * @param row - The kind of step.
 */
export function toStoredResult(stored: StepState, row: StepKindRow): JsonObject {
  return stored.state.status === 'completed' ? stored.outputs : structuredClone(row.empty)
}
