import type { Change } from './change.ts'
import type { StepContract } from './contract.ts'
import { isSameJson, type Schema } from './schemas/plain-schema.ts'

/** Compares the schema of a part. */
export type ComparePart = (part: string, before: Schema, after: Schema) => readonly Change[]

/** Returns the changes of a workflow's steps. */
export function compareSteps(
  before: readonly StepContract[],
  after: readonly StepContract[],
  comparePart: ComparePart,
): readonly Change[] {
  const changes: Change[] = []
  const added = after.filter(({ stepId }) => !before.some((one) => one.stepId === stepId))
  for (const step of before) {
    const { stepId } = step
    const now = after.find((one) => one.stepId === stepId)
    if (now) changes.push(...compareStep(step, now, comparePart))
    else changes.push(toLost(step, added))
  }
  for (const { stepId, type } of added)
    changes.push({ kind: 'safe', stepId, path: 'steps', message: `the ${type} step is new` })
  const order = (steps: readonly StepContract[], others: readonly StepContract[]): readonly string[] =>
    steps.map(({ stepId }) => stepId).filter((id) => others.some(({ stepId }) => stepId === id))
  const isMoved = !isSameJson(order(before, after), order(after, before))
  const lastKept = after.findLastIndex(({ stepId }) => before.some((one) => one.stepId === stepId))
  const isInFront = added.some((step) => after.indexOf(step) < lastKept)
  if (isMoved || isInFront)
    changes.push({
      kind: 'notice',
      path: 'steps',
      message: `${isMoved ? 'the order of the steps has changed' : 'a step was added before existing steps'}: an active run may receive it first (ExecutionStateCorruptError, once)`,
    })
  return changes
}

/** Returns the change for a removed step; a new step of the same kind may be the removed one under a different name. */
function toLost({ stepId, type }: StepContract, added: readonly StepContract[]): Change {
  const [renamed, ...others] = added.filter((one) => one.type === type)
  const what =
    renamed && others.length === 0 ? `the step was removed or renamed to ${renamed.stepId}` : 'the step was removed'
  return {
    kind: 'breaking',
    stepId,
    path: 'steps',
    message: `${what}: active runs get StepNotFoundError, and its saved controls are lost`,
  }
}

function compareStep(before: StepContract, after: StepContract, comparePart: ComparePart): readonly Change[] {
  const { stepId } = before
  const changes: Change[] = []
  if (before.type !== after.type)
    changes.push({
      kind: 'breaking',
      path: 'type',
      message: `was ${before.type}, is ${after.type}: saved controls and results are of another type`,
    })
  changes.push(...comparePart('controls', before.controls, after.controls))
  if (before.results !== undefined && after.results !== undefined)
    changes.push(...comparePart('results', before.results, after.results))
  if (before.conditional !== after.conditional)
    changes.push({
      kind: 'notice',
      path: 'conditional',
      message: after.conditional ? 'some payloads now skip the step' : 'no payload skips the step any more',
    })
  if (!isSameJson(before.providers, after.providers))
    changes.push({
      kind: 'notice',
      path: 'providers',
      message: `overrides were for ${before.providers.join(', ') || 'none'}, now for ${after.providers.join(', ') || 'none'}`,
    })
  return changes.map((change) => ({ ...change, stepId }))
}
