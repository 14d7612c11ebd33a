import type { OpenStep } from '@trestle/protocol'
import { createId } from '../../store/create-id.ts'
import { insertAll } from '../../store/late-rows.ts'
import { createQueryKey, elementsOf, runPrepared } from '../../store/prepared.ts'
import type { JobRow } from '../../store/schema/run.ts'
import type { StoredStep } from '../../store/schema/workflow.ts'
import { createSharedStatement } from '../../store/shared/shared-statement.ts'
import type { NextJob } from '../decision/next-turn.ts'
import { queueJobs } from '../run/advance-run.ts'
import type { LockedRunChange } from '../run/close-run.ts'
import type { JobStep } from '../run/held-job.ts'
import { toJobRow } from '../run/job-row.ts'

const stepsOfWorkflowsQuery = createQueryKey('steps of workflows')

export function loadNextJobs({ tx, run }: LockedRunChange): Promise<readonly NextJob[]> {
  return tx
    .selectFrom('jobs')
    .select(['id', 'stepId', 'status', 'stage', 'type', 'wave'])
    .where('runId', '=', run.id)
    .execute()
}

/** Creates the jobs of steps that the bridge named for the first time. */
async function createJobs(
  change: LockedRunChange,
  jobs: readonly NextJob[],
  draft: Pick<JobRow, 'status' | 'claim' | 'calledAt'> & {
    readonly steps: readonly OpenStep[]
    readonly isFinal?: boolean
  },
): Promise<readonly JobRow[]> {
  const { tx, run, nowMs, history } = change
  const { steps, isFinal = false, ...startColumns } = draft
  if (steps.length === 0) return []
  const { id: runId, environmentId } = run
  const listedSteps = await loadListedSteps(tx, run.workflowId)
  const wave = Math.max(-1, ...jobs.map((job) => job.wave)) + 1
  const rows = steps.map((step, index) => {
    const listedStep = listedSteps.find(({ stepId }) => stepId === step.stepId)
    const place = { environmentId, runId, position: jobs.length + index, wave }
    const parallelGroup = listedStep?.parallelGroup ?? null
    return toJobRow({
      ...place,
      ...startColumns,
      parallelGroup,
      step: toJobStep(step, { listedStep, isFinal, nowMs }),
      handOuts: 1,
      nowMs,
    })
  })
  await insertJobs(tx, rows)
  for (const { id } of rows) history.note({ runId, jobId: id }, 'created')
  const channels = new Set<string>(JSON.parse(run.channels))
  if (steps.some(({ type }) => !channels.has(type))) {
    for (const { type } of steps) channels.add(type)
    await tx
      .updateTable('runs')
      .set({ channels: JSON.stringify([...channels]) })
      .where('id', '=', runId)
      .execute()
  }
  return rows
}

const insertJobs = createSharedStatement<readonly JobRow[], void>({
  async run(tx, requests) {
    await insertAll(tx, 'jobs', requests.flat())
    return requests.map(() => undefined)
  },
})

/** Returns no steps if the workflow was deleted. */
const loadListedSteps = createSharedStatement<string, readonly StoredStep[]>({
  async run(tx, workflowIds) {
    const ids = JSON.stringify([...new Set(workflowIds)])
    const { rows } = await runPrepared(tx, {
      key: stepsOfWorkflowsQuery,
      values: [ids],
      build: () => tx.selectFrom('workflows').select(['id', 'steps']).where('id', 'in', elementsOf(tx, ids)),
    })
    const stepsOf = new Map(rows.map(({ id, steps }) => [id, JSON.parse(steps) as readonly StoredStep[]]))
    return workflowIds.map((id) => stepsOf.get(id) ?? [])
  },
})

interface StepOrigin {
  /** The step in the list of the workflow. */
  readonly listedStep: StoredStep | undefined
  /** Whether the bridge reported that the run is done after the step. */
  readonly isFinal: boolean
  readonly nowMs: number
}

function toJobStep({ stepId, type }: OpenStep, { listedStep, isFinal, nowMs }: StepOrigin): JobStep {
  const isListed = listedStep?.type === type && listedStep.extra['reached'] !== false
  const { id = createId(nowMs), name = stepId } = listedStep ?? {}
  // The next call returns the manifest of an unlisted step.
  const end = isListed ? isFinal && { final: true as const } : { unlisted: true as const }
  return { id, stepId, name, type, ...end }
}

/** A step that the bridge runs in its call. */
export interface StartedStep {
  readonly step: OpenStep
  readonly claim: string
  readonly calledAt: number
  /** Whether the bridge reported that the run is done after the step. @default false */
  readonly isFinal?: boolean
}

/**
 * Starts the job of a step that the bridge runs in its call: a new job, or the existing one of a step that was not
 * reached before.
 *
 * @param jobs - The existing jobs of the run.
 * @param begun - The step, the call, and whether the run is done after the step.
 */
export async function startJob(
  change: LockedRunChange,
  jobs: readonly NextJob[],
  { step, claim, calledAt, isFinal = false }: StartedStep,
): Promise<JobRow> {
  const { tx, nowMs } = change
  const startColumns = { status: 'running', claim, calledAt } as const
  const existing = jobs.find(({ stepId }) => stepId === step.stepId)
  if (existing)
    return tx
      .updateTable('jobs')
      .set((row) => ({ ...startColumns, stage: null, handOuts: row('handOuts', '+', 1), updatedAt: nowMs }))
      .where('id', '=', existing.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  const [created] = await createJobs(change, jobs, { steps: [step], isFinal, ...startColumns })
  if (!created) throw new Error('A step of a run was not created.')
  return created
}

/**
 * Dispatches steps: their jobs call the bridge in parallel, by step id. A step that was not reached before is
 * dispatched again, up to a limit.
 *
 * @param jobs - The existing jobs of the run.
 * @param steps - The steps that the bridge named.
 * @returns Whether a step was dispatched.
 */
export async function dispatchSteps(
  change: LockedRunChange,
  jobs: readonly NextJob[],
  steps: readonly OpenStep[],
): Promise<boolean> {
  const { tx, nowMs } = change
  const jobsByStep = new Map(jobs.map((job) => [job.stepId, job]))
  const newSteps = steps.filter(({ stepId }) => !jobsByStep.has(stepId))
  const unreached = steps
    .flatMap(({ stepId }) => jobsByStep.get(stepId) ?? [])
    .filter(({ status }) => status === 'pending')
  const created = await createJobs(change, jobs, { steps: newSteps, status: 'pending', claim: null, calledAt: null })
  for (const { id } of unreached)
    await tx
      .updateTable('jobs')
      .set((row) => ({ stage: null, handOuts: row('handOuts', '+', 1), updatedAt: nowMs }))
      .where('id', '=', id)
      .execute()
  const toQueue = [...created, ...unreached]
  if (toQueue.length > 0) await queueJobs(change, toQueue)
  return toQueue.length > 0
}
