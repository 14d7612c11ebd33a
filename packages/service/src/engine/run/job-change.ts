import type { JsonObject } from '@trestle/protocol'
import { toEmptyResult } from '@trestle/run-rules'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import { updateById } from '../../store/shared/row-list.ts'
import type { DetailName } from '../decision/detail.ts'
import { isOver } from '../decision/job-view.ts'
import type { ChannelPort } from '../port/channel-port.ts'
import type { RunChange } from './advance-run.ts'

/** Dependencies for changing one job within one transaction. */
export interface JobChange extends RunChange {
  /** The locked run; its `sequence` includes this change. */
  readonly run: RunRow
  readonly job: JobRow
  /** The recipient at the time of the bridge call. */
  readonly subscriber: SubscriberRow
  readonly channels: ChannelPort
}

/** The outcome of a job after its bridge has answered. */
export interface Settled {
  readonly status: JobRow['status']
  /** The result for later steps. @default the empty result of the step's type */
  readonly result?: JsonObject
  /** The outputs that the bridge returned. */
  readonly outputs?: JsonObject
  readonly error?: unknown
  /** Row ids of messages that must still be sent. */
  readonly pending?: readonly string[]
  /** How the jobs end that have not started. */
  readonly rest?: RemainingEnd
  /** Further columns. */
  readonly patch?: Partial<JobRow>
}

/** How jobs end before their time, such as those that a throttle skips. */
export interface RemainingEnd {
  readonly status: 'skipped' | 'merged'
  /** The entry in their history. */
  readonly name: DetailName
  /** Row id of the run whose digest merged this run. */
  readonly digestedRunId?: string
}

/**
 * Stores the outcome of a job.
 *
 * @returns The updated job.
 */
export async function writeJob(change: JobChange, settled: Settled): Promise<JobRow> {
  const { tx, run, job, nowMs } = change
  const { status, error, outputs, patch } = settled
  const over = isOver({ status })
  const result = settled.result ?? toEmptyResult(job.type)
  const values: Partial<JobRow> = {
    status,
    updatedAt: nowMs,
    ...(over && { result: JSON.stringify(result), endedAt: nowMs, completedOrder: run.sequence }),
    ...(outputs && { outputs: JSON.stringify(outputs) }),
    ...(error !== undefined && { error: JSON.stringify(error) }),
    ...patch,
  }
  await updateById(tx, { table: 'jobs', id: job.id, values })
  return { ...job, ...values }
}

/** Ends the jobs of a run that have not started. */
export async function endRemaining(change: JobChange, { status, name, digestedRunId }: RemainingEnd): Promise<void> {
  const { tx, run, nowMs, history } = change
  const rest = await tx
    .updateTable('jobs')
    .set({ status, endedAt: nowMs, completedOrder: run.sequence, updatedAt: nowMs })
    .where('runId', '=', run.id)
    .where('status', '=', 'pending')
    .returning('id')
    .execute()
  for (const { id } of rest) history.note({ runId: run.id, jobId: id }, name)
  if (digestedRunId !== undefined)
    await tx.updateTable('runs').set({ digestedRunId }).where('id', '=', run.id).execute()
}
