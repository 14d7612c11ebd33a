import type { StepManifest } from '@trestle/protocol'
import type { StoredStep } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { toStoredStep } from './stored-step.ts'

/** Steps that a run has taught. */
export interface LearnedSteps {
  /** Row id of the workflow. */
  readonly workflowId: string
  /** Their manifests, checked. */
  readonly manifests: readonly StepManifest[]
  /** The time, milliseconds since 1970. */
  readonly nowMs: number
}

/** A workflow keeps this many learned steps: ids that are made of data would bring more with every run. */
const maxLearned = 50

/**
 * Keeps steps that the list of a workflow lacks, or knows by their text only, with the workflow.
 *
 * @param tx - The session of the transaction.
 * @param learned - The steps. Those of a workflow that is gone are dropped.
 */
export async function learnSteps(tx: Session, { workflowId, manifests, nowMs }: LearnedSteps): Promise<void> {
  const workflow = await tx
    .updateTable('workflows')
    .set({ updatedAt: nowMs })
    .where('id', '=', workflowId)
    .where('origin', '=', 'external')
    .returning('steps')
    .executeTakeFirst()
  if (!workflow) return
  const steps = new Map((JSON.parse(workflow.steps) as readonly StoredStep[]).map((step) => [step.stepId, step]))
  let room = maxLearned - [...steps.values()].filter(isLearned).length
  for (const manifest of manifests) {
    const before = steps.get(manifest.stepId)
    if (before === undefined && room-- <= 0) continue
    const step = toStoredStep(manifest, before, nowMs)
    const isListed = before !== undefined && !isLearned(before)
    steps.set(step.stepId, isListed ? step : { ...step, extra: { ...step.extra, learned: true } })
  }
  const text = JSON.stringify([...steps.values()])
  await tx.updateTable('workflows').set({ steps: text }).where('id', '=', workflowId).execute()
}

/**
 * Returns whether a step was learned from a run, and is not in the list that the bridge publishes.
 *
 * @param step - The step.
 */
export function isLearned({ extra }: Pick<StoredStep, 'extra'>): boolean {
  return extra['learned'] === true
}
