import { randomUUID } from 'node:crypto'
import type { StepType } from '@trestle/protocol'
import type { ComposedStep } from '../../bridge/bridge-call.ts'
import { blankSubscriber } from '../../store/blank-rows.ts'
import { runPrepared } from '../../store/prepared.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/** The part of a step's definition that its row holds. */
export interface JobStep {
  /** Row id of the step. */
  readonly id: string
  /** The step's own identifier. */
  readonly stepId: string
  /** Its name. */
  readonly name: string
  /** The kind of step. */
  readonly type: StepType
  /** The step as the service renders it, because the workflow was stored through the API. */
  readonly composed?: ComposedStep
  /** Present if the workflow's list lacks the step, or knows it by its text only. */
  readonly unlisted?: true
}

/** A run with all that an event tells of it. */
export interface LoadedRun {
  /** The run. */
  readonly run: RunRow
  /** All its jobs, in the order of their positions. */
  readonly jobs: readonly JobRow[]
  /** The recipient as stored now. */
  readonly subscriber: SubscriberRow
}

/** A job this process works on. */
export interface HeldJob extends LoadedRun {
  /** The job. */
  readonly job: JobRow
  /** Shows that this process holds the job; whoever takes it later has another one. */
  readonly claim: string
}

/**
 * Takes a job to work on it. One that is running already was held by a process that died, or that has lost it.
 *
 * @param db - The session.
 * @param jobId - Row id of the job.
 * @param nowMs - The time, milliseconds since 1970.
 * @returns The job and what belongs to it; `undefined` when there is nothing to do for it any more.
 */
export async function holdJob(db: Session, jobId: string, nowMs: number): Promise<HeldJob | undefined> {
  const claim = randomUUID()
  const taken = await runPrepared(db, {
    name: 'take a job',
    values: ['running', claim, nowMs, nowMs, jobId, 'queued', 'running'],
    build: () =>
      db
        .updateTable('jobs')
        .set({ status: 'running', claim, calledAt: nowMs, updatedAt: nowMs })
        .where('id', '=', jobId)
        .where('status', 'in', ['queued', 'running'])
        .returningAll(),
  })
  const [job] = taken.rows
  if (!job) return undefined
  const runs = await runPrepared(db, {
    name: 'run of a job',
    values: [job.runId],
    build: () => db.selectFrom('runs').selectAll().where('id', '=', job.runId),
  })
  const [run] = runs.rows
  return run && { job, claim, ...(await loadRun(db, run)) }
}

/**
 * Returns a run with its jobs and its recipient.
 *
 * @param db - The session.
 * @param run - The run.
 */
export async function loadRun(db: Session, run: RunRow): Promise<LoadedRun> {
  const { rows: jobs } = await runPrepared(db, {
    name: 'jobs of a run',
    values: [run.id],
    build: () => db.selectFrom('jobs').selectAll().where('runId', '=', run.id).orderBy('position'),
  })
  const subscribers = await runPrepared(db, {
    name: 'subscriber of a run',
    values: [run.subscriberId],
    build: () => db.selectFrom('subscribers').selectAll().where('id', '=', run.subscriberId),
  })
  const [subscriber] = subscribers.rows
  return { run, jobs, subscriber: subscriber ?? toDeleted(run) }
}

/** Stands in for a recipient who was deleted while the run went on. */
function toDeleted(run: RunRow): SubscriberRow {
  const { subscriberId: id, environmentId, externalSubscriberId: subscriberId, createdAt } = run
  return { ...blankSubscriber, id, environmentId, subscriberId, createdAt, updatedAt: createdAt }
}
