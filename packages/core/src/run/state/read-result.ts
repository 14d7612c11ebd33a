import type { JsonObject } from '@trestle/protocol'
import { isObject } from '../../base/json.ts'
import { type RegisteredWorkflow, schemasOf } from '../../bridge/registered-workflow.ts'
import type { CompiledSchema, Verdict } from '../../schema/compiled-schema.ts'
import { resultSchemaOf } from '../../workflow/steps/compiled-step.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'

/**
 * Reads a stored result: its schema fills defaults and runs transforms. The payloads of a digest's events are those of
 * triggers, and are read as the workflow's own payload is.
 *
 * @param workflow - The workflow.
 * @param call - The step call.
 * @param result - What was stored.
 * @returns A promise only where a schema is asynchronous.
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a schema of the step is none.
 */
export function readResult(workflow: RegisteredWorkflow, call: StepCall, result: unknown): Verdict | Promise<Verdict> {
  const checked = resultSchemaOf(workflow.steps, call).check(result)
  if (call.kind !== 'digest' || !schemasOf(workflow).payload.given) return checked
  const read = (verdict: Verdict): Verdict | Promise<Verdict> => {
    if (verdict.issues) return verdict
    const events = readEvents(workflow, call, verdict.value)
    return events instanceof Promise ? events.then((value) => ({ value })) : { value: events }
  }
  return checked instanceof Promise ? checked.then(read) : read(checked)
}

/**
 * Brings the payloads of a digest's events into the form in which the workflow function sees its own payload. One that
 * does not fit stays as it is: an event from before a change of the schema must not end the run.
 *
 * @param workflow - The workflow.
 * @param call - The step call.
 * @param result - The step's result; it is not changed. That of another kind of step is returned as it is.
 * @returns A promise only where the payload schema is asynchronous.
 */
export function readEvents(workflow: RegisteredWorkflow, call: StepCall, result: unknown): unknown {
  if (call.kind !== 'digest' || !isObject(result) || !Array.isArray(result['events'])) return result
  const { payload } = schemasOf(workflow)
  if (!payload.given) return result
  const events = result['events'].map((event: unknown) => readEvent(payload, event))
  if (!events.some((event) => event instanceof Promise)) return { ...result, events }
  return Promise.all(events).then((read) => ({ ...result, events: read }))
}

function readEvent(schema: CompiledSchema, event: unknown): unknown {
  if (!isObject(event) || !isObject(event['payload'])) return event
  const read = (verdict: Verdict): JsonObject => (verdict.issues ? event : { ...event, payload: verdict.value })
  const verdict = schema.check(event['payload'])
  return verdict instanceof Promise ? verdict.then(read) : read(verdict)
}
