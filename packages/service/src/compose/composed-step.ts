import type { ComposedStep } from '../bridge/bridge-call.ts'
import { toObject } from '../json/json.ts'
import type { StoredStep, WorkflowRow } from '../store/schema/workflow.ts'

/**
 * Returns what the service renders of a step itself; `undefined` for a step of a bridge: all those of synced workflows,
 * and custom steps, which are code.
 *
 * @param workflow - The workflow.
 * @param step - The step.
 */
export function toComposedStep(
  { origin }: Pick<WorkflowRow, 'origin'>,
  { type, extra }: Pick<StoredStep, 'type' | 'extra'>,
): ComposedStep | undefined {
  if (origin !== 'api' || type === 'custom') return undefined
  return { type: type, providers: toObject(extra['providerOverrides']) }
}
