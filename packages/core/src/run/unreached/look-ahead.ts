import type { JsonObject } from '@trestle/protocol'
import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import type { Deadline } from '../../call/deadline.ts'
import type { Discovery } from '../../discovery/discovery.ts'
import type { ReachedStep } from '../../discovery/learned-steps.ts'
import { recordRun } from '../../discovery/recording/record-run.ts'
import type { SampleRunData } from '../../discovery/samples/sample-run-data.ts'
import { resultSchemaOf } from '../../workflow/steps/compiled-step.ts'
import { isShapedByOption } from '../../workflow/steps/step-kinds.ts'
import type { RunScope } from '../state/step-run.ts'
import { toCallData } from './call-data.ts'

// A step that nobody asks for is found by the first run that comes so far; later ones need not all look.
const intervalMs = 250
// Looking ahead must never be what a call fails of.
const spareMs = 1000
const maxWaitMs = 50

const lookedMs = new WeakMap<RegisteredWorkflow, number>()

/**
 * Finds the steps behind the one that has just run that discovery does not list: nobody would ever ask for them, and
 * their messages would be lost without a word. The function is run once more on the data of the call, with sample
 * results for the steps that have none; no handler runs. At most four times a second for each workflow, and only where
 * the function waits for nothing but steps.
 *
 * @param scope - The run, whose step has run.
 * @param outputs - What the step returned.
 * @param options - What discovery has found, and when the call must have been answered.
 */
export async function lookAhead(
  scope: RunScope,
  outputs: JsonObject,
  { discovery, deadline }: { readonly discovery: Discovery; readonly deadline: Deadline },
): Promise<readonly ReachedStep[]> {
  const { workflow, stepId } = scope
  const nowMs = performance.now()
  if (!discovery.awaitsOnlySteps || deadline.atMs - nowMs < spareMs) return []
  if (nowMs < (lookedMs.get(workflow) ?? Number.NEGATIVE_INFINITY) + intervalMs) return []
  lookedMs.set(workflow, nowMs)
  try {
    const { calls } = await recordRun(
      workflow,
      { base: 'fullest', changes: new Map() },
      { waitMs: maxWaitMs, given: async (samples) => withResult(scope, outputs, await toCallData(scope, samples)) },
    )
    const from = calls.findIndex(({ id }) => id === stepId)
    if (from < 0) return []
    return calls.slice(from + 1).flatMap(({ id, call }, index) => {
      const before = calls.slice(0, from + 1 + index).map((earlier) => earlier.id)
      return discovery.ids.has(id) ? [] : [{ call, before: () => before }]
    })
  } catch {
    // What fails on sample results may be right on real ones.
    return []
  }
}

/** Conditions behind a custom step ask for what it really returned. */
function withResult({ workflow, stepId }: RunScope, outputs: JsonObject, data: SampleRunData): SampleRunData {
  return {
    ...data,
    async resultOf(call) {
      if (call.id !== stepId || !isShapedByOption(call.kind)) return data.resultOf(call)
      const verdict = await resultSchemaOf(workflow.steps, call).check(structuredClone(outputs))
      return verdict.issues ? data.resultOf(call) : verdict.value
    },
  }
}
