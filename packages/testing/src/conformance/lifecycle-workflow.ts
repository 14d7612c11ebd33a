import { type Step, type WorkflowDefinition, workflow } from '@trestle/core'
import { type JsonObject, type StepType, toStepName } from '@trestle/protocol'

/** A step of a case, as data. */
export interface LifecycleStep {
  readonly stepId: string
  readonly type: StepType
  /** The outputs its handler returns. */
  readonly output?: JsonObject
  /** More output fields, each with the payload field that it is taken from. */
  readonly outputFrom?: Readonly<Record<string, string>>
  /** Makes the handler return the results of these steps, by id. */
  readonly tells?: readonly string[]
  /** Whether the step skips itself. */
  readonly skip?: boolean
  /** A payload field; the step is only called if the field is true. */
  readonly onlyIf?: string
  /** The handler throws an error with this message. */
  readonly fails?: string
}

type StartStep = (id: string, handler: () => JsonObject, options?: object) => Promise<unknown>

/**
 * Creates the workflow of a case.
 *
 * @param steps - Its steps in sequence; those in a nested list run in parallel.
 */
export function toLifecycleWorkflow(
  workflowId: string,
  steps: readonly (LifecycleStep | readonly LifecycleStep[])[],
): WorkflowDefinition {
  const groups = steps.map((group) => ('stepId' in group ? [group] : group))
  const conditions = groups.flat().flatMap(({ onlyIf }) => (onlyIf === undefined ? [] : [onlyIf]))
  return workflow(
    workflowId,
    async ({ step, payload }) => {
      const results: JsonObject = {}
      for (const group of groups)
        await Promise.all(
          group.map(async (part) => {
            if (part.onlyIf !== undefined && !payload[part.onlyIf]) return
            results[part.stepId] = await start(step, part, { payload, results })
          }),
        )
    },
    // Without it, discovery could not see both branches of the conditions.
    { payloadSchema: { type: 'object', properties: Object.fromEntries(conditions.map((name) => [name, boolean])) } },
  )
}

const boolean = { type: 'boolean' } as const

function start(
  step: Step,
  { stepId, type, output, outputFrom = {}, tells, skip, fails }: LifecycleStep,
  { payload, results }: { readonly payload: JsonObject; readonly results: JsonObject },
): Promise<unknown> {
  const begin = step[toStepName(type)] as StartStep
  const handler = (): JsonObject => {
    if (fails !== undefined) throw new Error(fails)
    if (tells) return Object.fromEntries(tells.map((id) => [id, results[id]]))
    return { ...output, ...Object.fromEntries(Object.entries(outputFrom).map(([name, from]) => [name, payload[from]])) }
  }
  return begin(stepId, handler, skip ? { skip: () => true } : {})
}
