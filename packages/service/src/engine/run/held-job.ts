import { randomUUID } from 'node:crypto'
import type { StepType } from '@trestle/protocol'
import type { ComposedStep } from '../../bridge/bridge-call.ts'
import { blankSubscriber } from '../../store/blank-rows.ts'
import { elementsOf, runPrepared } from '../../store/prepared.ts'
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
 * Takes jobs to work on them. One that is running already was held by a process that died, or that has lost it.
 *
 * @param db - The session.
 * @param jobIds - Row ids of jobs.
 * @param nowMs - The time, milliseconds since 1970.
 * @returns Each job and what belongs to it, in order; `undefined` if there is nothing to do for it any more, or it was named
 *   before.
 */
export async function holdJobs(
  db: Session,
  jobIds: readonly string[],
  nowMs: number,
): Promise<readonly (HeldJob | undefined)[]> {
  const claim = randomUUID()
  const ids = JSON.stringify(jobIds)
  const claimed = await runPrepared(db, {
    name: 'take jobs',
    values: ['running', claim, nowMs, nowMs, ids, 'queued', 'running'],
    build: () =>
      db
        .updateTable('jobs')
        .set({ status: 'running', claim, calledAt: nowMs, updatedAt: nowMs })
        .where('id', 'in', elementsOf(db, ids))
        .where('status', 'in', ['queued', 'running'])
        .returningAll(),
  })
  if (claimed.rows.length === 0) return jobIds.map(() => undefined)
  const runIds = JSON.stringify(claimed.rows.map(({ runId }) => runId))
  const runs = await runPrepared(db, {
    name: 'runs of jobs',
    values: [runIds],
    build: () => db.selectFrom('runs').selectAll().where('id', 'in', elementsOf(db, runIds)),
  })
  const loaded = new Map((await loadRuns(db, runs.rows)).map((one) => [one.run.id, one]))
  return jobIds.map((id, index) => {
    const job = jobIds.indexOf(id) === index ? claimed.rows.find((row) => row.id === id) : undefined
    const run = job && loaded.get(job.runId)
    return run && { job, claim, ...run }
  })
}

/**
 * Returns runs with their jobs and recipients, in order.
 *
 * @param db - The session.
 * @param runs - The runs.
 */
export async function loadRuns(db: Session, runs: readonly RunRow[]): Promise<readonly LoadedRun[]> {
  if (runs.length === 0) return []
  const runIds = JSON.stringify(runs.map(({ id }) => id))
  const { rows: jobs } = await runPrepared(db, {
    name: 'jobs of runs',
    values: [runIds],
    build: () => db.selectFrom('jobs').selectAll().where('runId', 'in', elementsOf(db, runIds)).orderBy('position'),
  })
  const jobsOf = new Map(runs.map(({ id }) => [id, [] as JobRow[]]))
  for (const job of jobs) jobsOf.get(job.runId)?.push(job)
  const subscriberOf = await loadSubscribers(db, runs)
  return runs.map((run) => ({ run, jobs: jobsOf.get(run.id) ?? [], subscriber: subscriberOf(run) }))
}

/** Loads the recipients of runs as they are stored now. Returns a function that finds the recipient of each. */
export async function loadSubscribers(db: Session, runs: readonly RunRow[]): Promise<(run: RunRow) => SubscriberRow> {
  const ids = JSON.stringify([...new Set(runs.map(({ subscriberId }) => subscriberId))])
  const { rows } = await runPrepared(db, {
    name: 'subscribers of runs',
    values: [ids],
    build: () => db.selectFrom('subscribers').selectAll().where('id', 'in', elementsOf(db, ids)),
  })
  const subscriberOf = new Map(rows.map((row) => [row.id, row]))
  return (run) => subscriberOf.get(run.subscriberId) ?? toDeletedSubscriber(run)
}

/** Stands in for a recipient who was deleted while the run went on. */
function toDeletedSubscriber(run: RunRow): SubscriberRow {
  const { subscriberId: id, environmentId, externalSubscriberId: subscriberId, createdAt } = run
  return { ...blankSubscriber, id, environmentId, subscriberId, createdAt, updatedAt: createdAt }
}
