import type { JobRow } from '../../store/schema/run.ts'
import type { StoredStep } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { toKeptJobs } from '../decision/kept-jobs.ts'
import type { RunStart } from './trigger-request.ts'

/** The run that a trigger continues, and the steps of its workflow. */
export interface KeptSource {
  readonly environmentId: string
  /** The step to start from; `undefined` for an ordinary trigger. */
  readonly startFrom: RunStart | undefined
  /** The steps that the run must follow; `undefined` if its bridge decides the next step. */
  readonly planned: readonly Pick<StoredStep, 'stepId' | 'type'>[] | undefined
}

/**
 * Returns the jobs of an earlier run whose results a new run keeps, in the order of the steps.
 *
 * @returns The jobs; none for an ordinary trigger. Or the reason why the run cannot start from the step.
 * @source service-api.md#run-again-from-a-step
 */
export async function loadKeptJobs(
  db: Session,
  { environmentId, startFrom, planned }: KeptSource,
): Promise<readonly JobRow[] | string> {
  if (!startFrom) return []
  const { runId, stepId } = startFrom
  const run = await db
    .selectFrom('runs')
    .select('status')
    .where('id', '=', runId)
    .where('environmentId', '=', environmentId)
    .executeTakeFirst()
  if (!run) return `The run ${JSON.stringify(runId)} no longer exists, so its results cannot be copied.`
  const jobs = await db.selectFrom('jobs').selectAll().where('runId', '=', runId).orderBy('position').execute()
  const keptJobs = toKeptJobs(run, jobs, stepId)
  if (typeof keptJobs === 'string' || !planned) return keptJobs
  if (!planned.some((step) => step.stepId === stepId))
    return `The workflow no longer has the step ${JSON.stringify(stepId)}.`
  return keptJobs.filter((job) => planned.some((step) => step.stepId === job.stepId && step.type === job.type))
}
