import type { JsonObject } from '@trestle/protocol'
import { toEmptyResult } from '@trestle/run-rules'
import { runPrepared } from '../../store/prepared.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import { isOver } from '../decision/job-view.ts'
import type { ChannelPort } from '../port/channel-port.ts'
import type { RunChange } from './advance-run.ts'

/** Dependencies of a change of one job, within one transaction. */
export interface JobChange extends RunChange {
  /** The run, locked; its `sequence` counts this change. */
  readonly run: RunRow
  /** The job. */
  readonly job: JobRow
  /** The recipient as stored when the bridge was called. */
  readonly subscriber: SubscriberRow
  /** The way to messages. */
  readonly channels: ChannelPort
}

/** How a job stands after its bridge has answered. */
export interface Settled {
  /** Its status. */
  readonly status: JobRow['status']
  /** The result that later steps see. @default the empty result of its kind */
  readonly result?: JsonObject
  /** The bridge's answer. */
  readonly outputs?: JsonObject
  /** Why it failed. */
  readonly error?: unknown
  /** Row ids of messages that must still leave the house. */
  readonly pending?: readonly string[]
  /** How the jobs end that have not begun. */
  readonly rest?: RemainingEnd
  /** Further columns. */
  readonly patch?: Partial<JobRow>
}

/** How jobs end that have not begun: held back by a throttle, or taken in by a digest of another run. */
export interface RemainingEnd {
  /** The status. */
  readonly status: 'skipped' | 'merged'
  /** Row id of the run whose digest took this one in. */
  readonly digestedRunId?: string
}

/**
 * Writes how a job stands.
 *
 * @param change - The job, and what it takes.
 * @param settled - How it stands.
 * @returns The job as it is now.
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
  await runPrepared(tx, {
    name: `write ${Object.keys(values).join()} of a job`,
    values: [...Object.values(values), job.id],
    build: () => tx.updateTable('jobs').set(values).where('id', '=', job.id),
  })
  return { ...job, ...values }
}

/**
 * Ends the jobs of a run that have not begun.
 *
 * @param change - The run, and what it takes.
 * @param end - How they end.
 */
export async function endRemaining(change: JobChange, { status, digestedRunId }: RemainingEnd): Promise<void> {
  const { tx, run, nowMs, history } = change
  const rest = await tx
    .updateTable('jobs')
    .set({ status, endedAt: nowMs, completedOrder: run.sequence, updatedAt: nowMs })
    .where('runId', '=', run.id)
    .where('status', '=', 'pending')
    .returning('id')
    .execute()
  const name = status === 'merged' ? 'digestMerged' : 'skippedAfterThrottle'
  for (const { id } of rest) history.note({ runId: run.id, jobId: id }, name)
  if (digestedRunId !== undefined)
    await tx.updateTable('runs').set({ digestedRunId }).where('id', '=', run.id).execute()
}
