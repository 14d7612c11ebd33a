import type { ComposedStep } from '../bridge/bridge-call.ts'
import { toObject } from '../json/json.ts'
import type { StoredStep, WorkflowRow } from '../store/schema/workflow.ts'

/**
 * Returns the definition of a step that the service renders; `undefined` for steps of a bridge: all steps of synced
 * workflows, and custom steps, which are code.
 */
export function toComposedStep(
  { origin }: Pick<WorkflowRow, 'origin'>,
  { type, extra }: Pick<StoredStep, 'type' | 'extra'>,
): ComposedStep | undefined {
  if (origin !== 'api' || type === 'custom') return undefined
  return { type: type, providers: toObject(extra['providerOverrides']) }
}
