import type { JsonObject, StepState } from '@trestle/protocol'
import { parseEventAgain } from '../../call/parse.ts'
import type { SampleRunData } from '../../discovery/samples/sample-run-data.ts'
import { toContext } from '../../workflow/steps/step-context.ts'
import { stepKinds } from '../../workflow/steps/step-kinds.ts'
import { checkPayload } from '../state/check-payload.ts'
import { toMemoizedSteps, toStoredResult } from '../state/memoized-steps.ts'
import { readResult } from '../state/read-result.ts'
import { toValues } from '../state/run-scope.ts'
import type { RunScope } from '../state/step-run.ts'

/**
 * Replaces sample data with the data of a call. Only steps without a stored result keep sample results.
 *
 * @param scope - The run of the call, whose data is parsed again because the workflow function may have modified it.
 * @param samples - The sample data to replace.
 */
export async function toCallData({ workflow, event, nowMs }: RunScope, samples: SampleRunData): Promise<SampleRunData> {
  const { payload, subscriber, env, context, actor, state } = parseEventAgain(event.body)
  // No step has been called yet.
  const stored = toMemoizedSteps(state) as ReadonlyMap<string, StepState>
  const ranks = new Map([...stored.keys()].map((id, rank) => [id, rank]))
  const values = await toValues(workflow, env)
  return {
    payload: await checkPayload(workflow, payload),
    ...values,
    subscriber: () => subscriber as JsonObject,
    actor: () => actor as JsonObject | undefined,
    context: () => context,
    rankOf: ({ id }) => ranks.get(id) ?? Number.POSITIVE_INFINITY,
    contextOf(call) {
      const entry = stored.get(call.id)
      return entry ? toContext(entry.state, nowMs) : samples.contextOf(call)
    },
    async resultOf(call) {
      const entry = stored.get(call.id)
      if (!entry) return samples.resultOf(call)
      const result = toStoredResult(entry, stepKinds[call.kind])
      if (entry.state.status !== 'completed') return result
      const verdict = await readResult(workflow, call, result)
      if (verdict.issues) throw new TypeError(`the stored result of step "${call.id}" is invalid`)
      return verdict.value
    },
  }
}
