import { type LaneName, toLaneName } from '../../queue/lane-name.ts'
import type { Priority, QueueItem } from '../../queue/queue.ts'
import type { RunRow } from '../../store/schema/run.ts'

/**
 * Returns the lane of a run's work: one workflow of one environment.
 *
 * @param run - The run, or its trigger.
 */
export function toLane(run: Pick<RunRow, 'environmentId' | 'workflowIdentifier'>): LaneName {
  return toLaneName(run.environmentId, run.workflowIdentifier)
}

/**
 * Returns a queue item for work on a run in progress. Work of bulk runs comes after all other work.
 *
 * @param kind - The kind of work.
 * @param id - The subject of the work, such as the row id of a job.
 */
export function toRunWork(
  run: Pick<RunRow, 'environmentId' | 'workflowIdentifier' | 'isBulk'>,
  kind: string,
  id: string,
): QueueItem {
  return { kind, id, lane: toLane(run), priority: toRunPriority(run) }
}

/** Returns the priority of webhook deliveries about a run. */
export const toEventPriority = ({ isBulk }: Pick<RunRow, 'isBulk'>): Priority => (isBulk === 1 ? 'bulk' : 'fresh')

/** Returns the priority of work on a run in progress. */
export const toRunPriority = ({ isBulk }: Pick<RunRow, 'isBulk'>): Priority => (isBulk === 1 ? 'bulk' : 'ongoing')
