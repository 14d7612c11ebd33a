import { CodedError, isCodedError, type JsonObject } from '@trestle/protocol'
import { lazy } from '../../base/lazy.ts'
import { createTemplateBudget } from '../../controls/plain/template-budget.ts'
import type { TemplateVariables } from '../../controls/plain/template-variables.ts'
import type { Verdict } from '../../schema/compiled-schema.ts'
import { dropUnknownKeys } from '../../schema/drop-unknown-keys.ts'
import type { SkipContext } from '../../workflow/kinds/signature.ts'
import { checkProviders } from '../../workflow/steps/check-providers.ts'
import { type CompiledStep, compileStep, unusableSchema } from '../../workflow/steps/compiled-step.ts'
import { toStepData } from '../../workflow/steps/step-data.ts'
import { isShapedByOption } from '../../workflow/steps/step-kinds.ts'
import { addWarning } from '../state/add-warning.ts'
import { toDropWarning, toVariableWarning } from '../state/drop-warning.ts'
import { toOutputs } from '../state/memoized-steps.ts'
import { type StepOutcome, type StepRun, skipped } from '../state/step-run.ts'
import { toHandlerContext } from './handler-context.ts'
import { invalidOutput } from './invalid-output.ts'
import { toRemovalWarning } from './removal-warning.ts'
import { toFailure } from './step-failure.ts'
import { toJson } from './to-json.ts'

// Loaded by the first step that has HTML, controls, overrides or a workflow to trigger.
const sanitizing = lazy(() => import('@trestle/html/clean'))
const controlling = lazy(() => import('../../controls/resolve-controls.ts'))
const overriding = lazy(() => import('./run-providers.ts'))
const triggering = lazy(() => import('../../trigger/trigger-workflow.ts'))

const handlerOutput = { code: 'ExecutionStateOutputInvalidError', what: 'the handler' } as const

/**
 * Runs the requested step: resolves its controls, calls `skip` and the handler, validates and sanitizes the output,
 * then runs the provider overrides.
 *
 * @param run - The step and its run.
 * @throws CodedError - The failure of the phase at which it stopped.
 * @source bridge-protocol.md#running-a-step
 */
export async function runStep(run: StepRun): Promise<StepOutcome> {
  const { id, handler, options } = run.call
  const compiled = compileStep(run.scope.workflow.steps, run.call)
  checkProviders(run.call)
  const controls = hasControls(run, compiled) ? await toControls(run, compiled) : {}
  if (options.skip && !run.scope.sampleData) {
    run.progress.phase = `skip of step "${id}"`
    const { skip } = options
    try {
      if (await skip(controls, toSkipContext(run))) return skipped
    } catch (error) {
      throw failed(run, 'skip', error)
    }
  }
  if (run.progress.ended) return skipped
  run.progress.phase = `the handler of step "${id}"`
  const created = toHandlerContext(run.scope)
  const context = created instanceof Promise ? await created : created
  let returned: unknown
  try {
    returned = await handler(controls, context)
  } catch (error) {
    throw failed(run, 'the handler', error)
  }
  if (compiled.kind === 'trigger') returned = await toTriggerOutput(run, returned)
  const checked = toOutput(run, compiled, returned)
  const outputs = checked instanceof Promise ? await checked : checked
  if (run.progress.ended) return skipped
  const providers = options.providers ? await (await overriding()).runProviders(run, controls, outputs) : {}
  const { cleaned } = run.progress
  return { outputs, providers, skip: false, ...(cleaned && { cleaned }) }
}

async function toTriggerOutput(run: StepRun, returned: unknown): Promise<unknown> {
  const { value, issues } = await (await triggering()).toTriggerOutput(returned, run.scope.sampleData !== undefined)
  if (issues) throw invalidOutput(run, issues, handlerOutput)
  return value
}

function hasControls({ scope: { event } }: StepRun, { controls }: CompiledStep): boolean {
  return controls.given || Object.keys(event.controls).length > 0
}

async function toControls(run: StepRun, compiled: CompiledStep): Promise<JsonObject> {
  run.progress.phase = `the controls of step "${run.call.id}"`
  const { resolveControls } = await controlling()
  try {
    return await resolveControls({
      given: run.scope.event.controls,
      schema: compiled.controls,
      variables: toVariables(run),
      budget: createTemplateBudget(),
      onUnknown: toVariableReport(run),
      onDrop: toDropReport(run),
    })
  } catch (error) {
    throw withStep(error, run)
  }
}

function toVariableReport({ scope: { workflow }, call }: StepRun): ((name: string) => void) | undefined {
  const { onUnknown } = workflow
  return onUnknown && ((name) => onUnknown(toVariableWarning(name, `step "${call.id}" of workflow "${workflow.id}"`)))
}

function toDropReport({ scope: { workflow }, call }: StepRun): ((path: string) => void) | undefined {
  const { onUnknown } = workflow
  const where = `the controls of step "${call.id}" of workflow "${workflow.id}"`
  return onUnknown && ((path) => onUnknown(toDropWarning(path, where)))
}

/** Adds the step to errors from control resolution. */
function withStep(error: unknown, { call }: StepRun): unknown {
  if (!isCodedError(error)) return error
  return new CodedError(error.code, error.message, { data: { ...error.data, ...toStepData(call) }, cause: error.cause })
}

/** Converts an error from user code to the step's failure. */
function failed(run: StepRun, what: string, error: unknown): CodedError {
  return toFailure(run, error, { code: 'StepExecutionFailedError', what: `${what} of step "${run.call.id}"` })
}

function toVariables({ scope }: StepRun): TemplateVariables {
  const { workflow, payload, subscriber, event, env, sampleResults, stepId } = scope
  const { name, description, tags = [], severity = 'none' } = workflow.options
  return {
    payload,
    subscriber: subscriber as JsonObject,
    actor: event.actor as JsonObject | undefined,
    context: event.context,
    env: env as JsonObject,
    steps: toOutputs(event.state, stepId, sampleResults),
    workflow: { workflowId: workflow.id, name, description, tags, severity },
  }
}

function toSkipContext({ scope }: StepRun): SkipContext {
  const { payload, subscriber, event, stepId, sampleResults } = scope
  return { payload, subscriber, state: toOutputs(event.state, stepId, sampleResults) }
}

function toOutput(run: StepRun, compiled: CompiledStep, returned: unknown): JsonObject | Promise<JsonObject> {
  const wire = toJson(returned)
  if (wire.issues) throw invalidOutput(run, wire.issues, handlerOutput)
  const fault = compiled.row.findFault?.(returned)
  if (fault) throw invalidOutput(run, [fault], handlerOutput)
  const outputs = wire.value
  const checked = compiled.output.check(outputs)
  if (checked instanceof Promise) return checked.then((verdict) => accept(run, compiled, { outputs, verdict }))
  return accept(run, compiled, { outputs, verdict: checked })
}

/** Fills in defaults in the output for readers that do not have the schema, such as a service template. */
function fillDefaults(
  { output }: CompiledStep,
  outputs: JsonObject,
  verdict: Verdict,
): JsonObject | Promise<JsonObject> {
  return output.given ? (output.fill(outputs, verdict) as JsonObject | Promise<JsonObject>) : outputs
}

/**
 * Returns the output before the schema's transforms, because the schema reads it again when a later step requests the
 * result.
 */
function accept(
  run: StepRun,
  compiled: CompiledStep,
  { outputs, verdict }: { readonly outputs: JsonObject; readonly verdict: Verdict },
): JsonObject | Promise<JsonObject> {
  const { workflow } = run.scope
  if (verdict.issues && workflow.onUnknown) {
    const where = `the output of step "${run.call.id}" of workflow "${workflow.id}"`
    const pruned = dropUnknownKeys(compiled.output, { value: outputs, verdict }, (path) =>
      workflow.onUnknown?.(toDropWarning(path, where)),
    )
    if (pruned instanceof Promise)
      return pruned.then((result) => settle(run, compiled, { outputs: result.value, verdict: result.verdict }))
  }
  return settle(run, compiled, { outputs, verdict })
}

function settle(
  run: StepRun,
  compiled: CompiledStep,
  { outputs, verdict }: { readonly outputs: JsonObject; readonly verdict: Verdict },
): JsonObject | Promise<JsonObject> {
  if (verdict.issues) throw invalidOutput(run, verdict.issues, handlerOutput)
  const { row } = compiled
  if (compiled.isAwaited) return { ...outputs, await: true }
  if (compiled.payload.given) return withPayloadSchema(run, compiled, outputs)
  if (!row.html) return isShapedByOption(compiled.kind) ? fillDefaults(compiled, outputs, verdict) : outputs
  const text = !run.call.options.disableOutputSanitization ? outputs[row.html] : undefined
  return typeof text === 'string' ? sanitize(run, compiled, { outputs, text }) : outputs
}

/** Adds the payload schema, with which the service validates events before it resumes the run. */
async function withPayloadSchema(run: StepRun, { payload }: CompiledStep, outputs: JsonObject): Promise<JsonObject> {
  try {
    await payload.prepare()
    return { ...outputs, schema: payload.jsonSchema() }
  } catch (error) {
    throw unusableSchema(run.call, 'the option schema cannot be sent', error)
  }
}

async function sanitize(
  run: StepRun,
  { row }: CompiledStep,
  { outputs, text }: { readonly outputs: JsonObject; readonly text: string },
): Promise<JsonObject> {
  const { cleanHtml } = await sanitizing()
  const cleaned = cleanHtml(text, row.channel === 'inApp' ? 'inApp' : 'email')
  if (cleaned.removedCount > 0) {
    run.progress.cleaned = cleaned
    addWarning(run.scope, toRemovalWarning(run.call.id, cleaned))
  }
  return { ...outputs, [row.html ?? 'body']: cleaned.html }
}
