import { CodedError, type ErrorCode, type Issue, type JsonObject } from '@trestle/protocol'
import { sanitizeHtml } from '../content/sanitize-html.ts'
import { resolveControls } from '../controls/resolve-controls.ts'
import { createTemplateBudget } from '../controls/template-budget.ts'
import { toThrown } from '../thrown.ts'
import { type CompiledStep, compileStep } from '../workflow/compiled-step.ts'
import type { HandlerContext, SkipContext } from '../workflow/step.ts'
import { toIdempotencyKey } from './idempotency-key.ts'
import { checkProviders, runProviders } from './run-providers.ts'
import { type StepOutcome, type StepRun, skipped } from './step-run.ts'
import { toOutputs } from './stored-steps.ts'
import { toWire } from './to-wire.ts'

/**
 * Runs the requested step: its controls, then `skip`, then the handler, then its output is checked and sanitized, then
 * the provider overrides.
 *
 * @param run - The step and its run.
 * @throws CodedError - The failure of the phase it stopped at.
 * @source Protocol, "Running a step".
 */
export async function runStep(run: StepRun): Promise<StepOutcome> {
  const { id, handler, options } = run.call
  const compiled = compileStep(run.workflow.steps, run.call)
  checkProviders(run.call)
  run.enter(`the controls of step "${id}"`)
  const resolved = resolveControls({
    given: run.event.controls,
    schema: compiled.controls,
    variables: toVariables(run),
    budget: createTemplateBudget(),
  })
  const controls = resolved instanceof Promise ? await resolved : resolved
  if (options.skip && !run.world) {
    run.enter(`skip of step "${id}"`)
    const { skip } = options
    if (await guard(run, 'skip', () => skip(controls, toSkipContext(run)))) return skipped
  }
  if (run.isOver()) return skipped
  run.enter(`the handler of step "${id}"`)
  const created = toHandlerContext(run)
  const context = created instanceof Promise ? await created : created
  const outputs = await toOutput(run, compiled, await guard(run, 'the handler', () => handler(controls, context)))
  if (run.isOver()) return skipped
  const providers = options.providers ? await runProviders(run, controls, outputs) : {}
  return { outputs, providers, skip: false }
}

/** Runs user code of the step; whatever it throws becomes the step's failure. */
async function guard(run: StepRun, what: string, code: () => unknown): Promise<unknown> {
  try {
    return await code()
  } catch (error) {
    throw toFailure(run, error, { code: 'StepExecutionFailedError', what: `${what} of step "${run.call.id}"` })
  }
}

/**
 * Makes the failure of user code, and tells the hook.
 *
 * @param run - The step and its run.
 * @param error - What was thrown.
 * @param failure - Its code, and what failed.
 */
export function toFailure(
  run: StepRun,
  error: unknown,
  failure: { readonly code: ErrorCode; readonly what: string },
): CodedError {
  const { message, stack } = toThrown(error)
  run.onError(error, failure.code)
  return new CodedError(failure.code, `Workflow "${run.workflow.id}": ${failure.what} failed: ${message}`, {
    data: { stack },
    cause: error,
  })
}

function toVariables(run: StepRun): Parameters<typeof resolveControls>[0]['variables'] {
  const { id, options } = run.workflow
  return {
    payload: run.payload,
    subscriber: run.subscriber as JsonObject,
    actor: run.event.actor as JsonObject | undefined,
    context: run.event.context,
    env: run.env as JsonObject,
    get steps() {
      return toOutputs(run.slots, run.stepId)
    },
    get workflow() {
      const { name, description, tags = [], severity = 'none' } = options
      return { workflowId: id, name, description, tags, severity }
    },
  }
}

function toSkipContext(run: StepRun): SkipContext {
  return {
    payload: run.payload,
    subscriber: run.subscriber,
    get state() {
      return toOutputs(run.slots, run.stepId)
    },
  }
}

function toHandlerContext(run: StepRun): HandlerContext | Promise<HandlerContext> {
  const { abort } = run
  const key = (): string | Promise<string> =>
    toIdempotencyKey({ workflowId: run.workflow.id, stepId: run.stepId, event: run.event }, run.hmac)
  const withKey = (read: () => string): HandlerContext => ({
    get signal() {
      return abort.signal
    },
    get idempotencyKey() {
      return read()
    },
  })
  if (run.hmac.synchronous || run.event.jobId !== undefined) return withKey(() => key() as string)
  return Promise.resolve(key()).then((known) => withKey(() => known))
}

async function toOutput(run: StepRun, compiled: CompiledStep, returned: unknown): Promise<JsonObject> {
  const wire = toWire(returned)
  if (wire.issues) throw invalidOutput(run, wire.issues)
  const checked = compiled.output.check(wire.value)
  const verdict = checked instanceof Promise ? await checked : checked
  if (verdict.issues) throw invalidOutput(run, verdict.issues)
  // What was returned goes over the wire, not what a transform made of it: the schema reads it again when a later
  // step asks for the result.
  const { html } = compiled.row
  const text = html && !run.call.options.disableOutputSanitization ? wire.value[html] : undefined
  if (!html || typeof text !== 'string') return wire.value
  wire.value[html] = await sanitizeHtml(text)
  return wire.value
}

function invalidOutput(run: StepRun, issues: readonly Issue[]): CodedError {
  const [first] = issues
  const where = first?.path ? `${first.path} ` : ''
  return new CodedError(
    'ExecutionStateOutputInvalidError',
    `Workflow "${run.workflow.id}": what the handler of step "${run.call.id}" returned is wrong: ${where}${first?.message}.`,
    { data: issues },
  )
}
