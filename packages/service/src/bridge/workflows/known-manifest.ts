import { isObject, type JsonObject } from '@trestle/protocol'
import { toObject } from '../../json/json.ts'
import type { StoredStep, WorkflowRow } from '../../store/schema/workflow.ts'
import { isLearned } from './learn-steps.ts'

/**
 * Returns a workflow as described by its bridge, merged with what runs have shown: steps missing from the list, and
 * details of steps that were only listed from the source text.
 */
export function toKnownManifest({
  manifest,
  identifier,
  name,
  steps,
}: Pick<WorkflowRow, 'manifest' | 'identifier' | 'name' | 'steps'>): JsonObject {
  if (manifest === null) return { workflowId: identifier, name, steps: [] }
  const described = toObject(JSON.parse(manifest))
  const stored = JSON.parse(steps) as readonly StoredStep[]
  const manifestsByStepId = new Map(stored.map((step) => [step.stepId, toManifest(step)]))
  const listed = (described['steps'] as readonly unknown[]).map((step) =>
    isObject(step) && step['reached'] === false ? (manifestsByStepId.get(String(step['stepId'])) ?? step) : step,
  )
  return { ...described, steps: [...listed, ...stored.filter(isLearned).map(toManifest)] }
}

/** Returns a workflow that was created through the API, in the format of a bridge. */
export function toStoredManifest(row: WorkflowRow): JsonObject {
  const { identifier, name, description, tags, severity, payloadSchema, preferences, userPreferences, steps } = row
  return {
    workflowId: identifier,
    name,
    ...(description === null ? {} : { description }),
    tags: JSON.parse(tags),
    severity,
    ...(payloadSchema === null ? {} : { payload: { schema: JSON.parse(payloadSchema) } }),
    preferences: toObject(JSON.parse(userPreferences ?? preferences)),
    steps: (JSON.parse(steps) as readonly StoredStep[]).map(toManifest),
  }
}

function toManifest({ stepId, type, controlSchema, conditional, parallelGroup, extra }: StoredStep): JsonObject {
  const group = parallelGroup === null ? {} : { parallelGroup }
  return { stepId, type, controls: { schema: controlSchema }, conditional, ...group, ...extra }
}
