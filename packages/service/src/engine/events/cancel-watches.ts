import type { CancelOn, JsonObject } from '@trestle/protocol'
import { toCancelKeys } from '@trestle/run-rules'
import { createId } from '../../store/create-id.ts'
import type { CancelWatchRow, TriggerRow } from '../../store/schema/run.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import { toWantedKeys } from './event-keys.ts'

/** The common properties of the runs of a trigger. */
export interface WatchedTrigger {
  readonly trigger: TriggerRow
  readonly request: { readonly payload?: JsonObject | undefined }
  readonly workflow: WorkflowRow
}

/**
 * Returns the events that cancel the runs of a trigger.
 *
 * @param watched - The trigger.
 * @param runIds - Row ids of the runs.
 * @param nowMs - The time, in milliseconds since 1970.
 */
export function toCancelWatches(
  { workflow, trigger, request }: WatchedTrigger,
  runIds: readonly string[],
  nowMs: number,
): readonly CancelWatchRow[] {
  if (workflow.cancelOn === null) return []
  const wanted = (JSON.parse(workflow.cancelOn) as readonly CancelOn[]).flatMap((one) => {
    const keys = toCancelKeys(one, request.payload ?? {})
    return keys ? [{ event: one.event, ...toWantedKeys(one.event, keys) }] : []
  })
  return runIds.flatMap((runId) =>
    wanted.map(({ event, bucket, wanted: keys }) => ({
      ...{ id: createId(nowMs), environmentId: trigger.environmentId, runId, event, bucket },
      ...{ keys: JSON.stringify(keys), since: trigger.createdAt },
    })),
  )
}
