import { isObject, type JsonObject } from '@trestle/protocol'
import { type RegisteredWorkflow, schemasOf } from '../../bridge/registered-workflow.ts'
import type { CompiledSchema, Verdict } from '../../schema/compiled-schema.ts'
import { dropUnknownKeys } from '../../schema/drop-unknown-keys.ts'
import { resultSchemaOf } from '../../workflow/steps/compiled-step.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import { toDropWarning } from './drop-warning.ts'

/**
 * Reads a stored result, with its schema's defaults and transforms applied. The payloads of digest events are read like
 * the workflow's own payload.
 *
 * @param workflow - The workflow of the step.
 * @param call - The step call.
 * @param result - The stored result.
 * @returns A promise only if a schema is asynchronous.
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a schema of the step is invalid.
 */
export function readResult(workflow: RegisteredWorkflow, call: StepCall, result: unknown): Verdict | Promise<Verdict> {
  const checked = check(workflow, call, result)
  if (call.kind !== 'digest' || !schemasOf(workflow).payload.given) return checked
  const read = (verdict: Verdict): Verdict | Promise<Verdict> => {
    if (verdict.issues) return verdict
    const events = readEvents(workflow, call, verdict.value)
    return events instanceof Promise ? events.then((value) => ({ value })) : { value: events }
  }
  return checked instanceof Promise ? checked.then(read) : read(checked)
}

/** Validates a result. Removes its unknown fields with a warning each, if the workflow's preset drops them. */
function check(workflow: RegisteredWorkflow, call: StepCall, result: unknown): Verdict | Promise<Verdict> {
  const { onUnknown } = workflow
  const schema = resultSchemaOf(workflow.steps, call)
  const first = schema.check(result)
  if (!onUnknown) return first
  const where = `the stored result of step "${call.id}" of workflow "${workflow.id}"`
  const prune = (verdict: Verdict): Verdict | Promise<Verdict> => {
    const pruned = dropUnknownKeys(schema, { value: result, verdict }, (path) => onUnknown(toDropWarning(path, where)))
    return pruned instanceof Promise ? pruned.then((last) => last.verdict) : pruned.verdict
  }
  return first instanceof Promise ? first.then(prune) : prune(first)
}

/**
 * Converts the payloads of digest events to the format of the workflow's own payload. An invalid payload is left
 * unchanged: an event from before a schema change must not fail the run.
 *
 * @param workflow - The workflow.
 * @param call - The step call.
 * @param result - The step's result, which is not modified. Results of other steps are returned unchanged.
 * @returns A promise only if the payload schema is asynchronous.
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
