import type { Change } from './change.ts'
import { compareSteps } from './compare-steps.ts'
import type { Contract, WorkflowContract } from './contract.ts'
import { findLostControls } from './lost-controls.ts'
import { compareSchemas } from './schemas/compare-schemas.ts'
import { isSameJson, type Schema, toPlainSchema } from './schemas/plain-schema.ts'

/**
 * Returns the changes between two contracts, and what they break: existing callers, values saved in the service, and
 * active runs.
 *
 * @param before - The earlier contract.
 * @param after - The later one.
 * @example
 * const changes = compareContracts(toContract(released), toContract(current))
 * if (changes.some(({ kind }) => kind === 'breaking')) process.exitCode = 1
 */
export function compareContracts(before: Contract, after: Contract): readonly Change[] {
  const changes: Change[] = []
  const byId = new Map(after.workflows.map((workflow) => [workflow.workflowId, workflow]))
  for (const workflow of before.workflows) {
    const { workflowId } = workflow
    const now = byId.get(workflowId)
    if (now) changes.push(...compareWorkflows(workflow, now))
    else
      changes.push({
        kind: 'breaking',
        workflowId,
        path: '',
        message: 'the workflow was removed: triggers and active runs get WorkflowNotFoundError, and a sync deletes it',
      })
  }
  const previousIds = before.workflows.map(({ workflowId }) => workflowId)
  for (const { workflowId } of after.workflows.filter((one) => !previousIds.includes(one.workflowId)))
    changes.push({ kind: 'safe', workflowId, path: '', message: 'the workflow is new' })
  for (const agent of before.agents.filter((one) => !after.agents.includes(one)))
    changes.push({
      kind: 'breaking',
      path: `agents/${agent}`,
      message: 'the agent was removed: its events get AgentNotFoundError',
    })
  for (const agent of after.agents.filter((one) => !before.agents.includes(one)))
    changes.push({ kind: 'safe', path: `agents/${agent}`, message: 'the agent is new' })
  return changes
}

function compareWorkflows(before: WorkflowContract, after: WorkflowContract): readonly Change[] {
  const { workflowId } = before
  const changes: Change[] = []
  for (const part of ['payload', 'controls', 'env'] as const)
    changes.push(...comparePart(part, before[part], after[part]))
  for (const part of ['preferences', 'severity', 'tags'] as const)
    if (!isSameJson(before[part], after[part]))
      changes.push({
        kind: 'notice',
        path: part,
        message: `was ${JSON.stringify(before[part])}, is ${JSON.stringify(after[part])}`,
      })
  changes.push(...compareSteps(before.steps, after.steps, comparePart))
  return changes.map((change) => ({ ...change, workflowId }))
}

function comparePart(part: string, before: Schema, after: Schema): readonly Change[] {
  if (isSameJson(before, after)) return []
  const lost = part === 'controls' ? findLostControls(before, after) : []
  const narrowings = compareSchemas(before, after).map((one) => ({ ...one, path: `${part}${one.path}` }))
  const changes = [...lost, ...narrowings.filter(({ path }) => !lost.some((one) => one.path === path))]
  if (changes.length > 0) return changes.map(({ kind, path, message }) => ({ kind, path, message }))
  const refuses = (schema: Schema): Schema => toPlainSchema(schema, { keepDefaults: false })
  if (isSameJson(refuses(before), refuses(after)))
    return [{ kind: 'notice', path: part, message: 'a default has changed, which is used if no value is given' }]
  return [{ kind: 'safe', path: part, message: 'accepts everything it accepted before, and more' }]
}
