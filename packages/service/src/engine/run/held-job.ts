import { randomUUID } from 'node:crypto'
import type { StepType } from '@trestle/protocol'
import type { ComposedStep } from '../../bridge/bridge-call.ts'
import { blankSubscriber } from '../../store/blank-rows.ts'
import { createQueryKey, elementsOf, runPrepared } from '../../store/prepared.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import { createSharedStatement } from '../../store/shared/shared-statement.ts'
import type { Session } from '../../store/store.ts'

const takeJobsQuery = createQueryKey('take jobs')
const runsOfJobsQuery = createQueryKey('runs of jobs')
const jobsOfRunsQuery = createQueryKey('jobs of runs')
const subscribersOfRunsQuery = createQueryKey('subscribers of runs')

/** The part of a step's definition that is stored in its job. */
export interface JobStep {
  /** Row id of the step. */
  readonly id: string
  readonly stepId: string
  readonly name: string
  readonly type: StepType
  /** The step that the service renders, for workflows that were stored through the API. */
  readonly composed?: ComposedStep
  /** Set if the step is missing from the workflow's list, or is only known from the function's source. */
  readonly unlisted?: true
  /** Set if the run is done once this job has completed. */
  readonly final?: true
  /** The run and the job whose result was copied, if this job was not run itself. */
  readonly reusedFrom?: { readonly runId: string; readonly jobId: string }
}

/** A run with all data that an event contains. */
export interface LoadedRun {
  readonly run: RunRow
  /** All its jobs, sorted by position. */
  readonly jobs: readonly JobRow[]
  /** The current recipient. */
  readonly subscriber: SubscriberRow
}

/** A job that this process works on. */
export interface HeldJob extends LoadedRun {
  readonly job: JobRow
  /** Proves that this process holds the job; a later claim has a different value. */
  readonly claim: string
}

/**
 * Claims jobs. A job that is already running was claimed by a process that died or lost its claim.
 *
 * @param jobIds - Row ids of jobs.
 * @returns The jobs with their runs, in order; `undefined` for a job that has ended, or a duplicate id.
 */
export async function holdJobs(
  db: Session,
  jobIds: readonly string[],
  nowMs: number,
): Promise<readonly (HeldJob | undefined)[]> {
  const claim = randomUUID()
  const ids = JSON.stringify(jobIds)
  const claimed = await runPrepared(db, {
    key: takeJobsQuery,
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
    key: runsOfJobsQuery,
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

/** Returns runs with their jobs and recipients, in order. */
export async function loadRuns(db: Session, runs: readonly RunRow[]): Promise<readonly LoadedRun[]> {
  if (runs.length === 0) return []
  const runIds = JSON.stringify(runs.map(({ id }) => id))
  const { rows: jobs } = await runPrepared(db, {
    key: jobsOfRunsQuery,
    values: [runIds],
    build: () => db.selectFrom('jobs').selectAll().where('runId', 'in', elementsOf(db, runIds)).orderBy('position'),
  })
  const jobsOf = new Map(runs.map(({ id }) => [id, [] as JobRow[]]))
  for (const job of jobs) jobsOf.get(job.runId)?.push(job)
  const subscriberOf = await loadSubscribers(db, runs)
  return runs.map((run) => ({ run, jobs: jobsOf.get(run.id) ?? [], subscriber: subscriberOf(run) }))
}

/** Loads the current recipients of runs. Returns a function that looks up the recipient of a run. */
async function loadSubscribers(db: Session, runs: readonly RunRow[]): Promise<(run: RunRow) => SubscriberRow> {
  const ids = JSON.stringify([...new Set(runs.map(({ subscriberId }) => subscriberId))])
  const { rows } = await runPrepared(db, {
    key: subscribersOfRunsQuery,
    values: [ids],
    build: () => db.selectFrom('subscribers').selectAll().where('id', 'in', elementsOf(db, ids)),
  })
  const subscriberOf = new Map(rows.map((row) => [row.id, row]))
  return (run) => subscriberOf.get(run.subscriberId) ?? toDeletedSubscriber(run)
}

/** Loads the recipient of a run as it is stored now. */
export const loadSubscriber: (tx: Session, run: RunRow) => Promise<SubscriberRow> = createSharedStatement({
  async run(tx, runs) {
    const subscriberOf = await loadSubscribers(tx, runs)
    return runs.map(subscriberOf)
  },
})

/** Replaces a recipient that was deleted during the run. */
function toDeletedSubscriber(run: RunRow): SubscriberRow {
  const { subscriberId: id, environmentId, externalSubscriberId: subscriberId, createdAt } = run
  return { ...blankSubscriber, id, environmentId, subscriberId, createdAt, updatedAt: createdAt }
}
