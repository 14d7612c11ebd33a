import { isObject } from '@trestle/protocol'
import { checkOptions, type OptionRule, optionRules } from '../../base/check-options.ts'
import type { FailureOptions } from '../kinds/outcome.ts'
import { retryRules } from '../kinds/retries.ts'
import { checkId } from './check-id.ts'
import type { AnyStepOptions, StepCall } from './step-call.ts'
import { isShapedByOption, type Step, type StepKind } from './step-kinds.ts'
import { failureRules, returnsFailure, toOutcome } from './step-outcome.ts'

const noOptions: AnyStepOptions = Object.freeze({})

const optionsOfStep: Readonly<Record<keyof AnyStepOptions, OptionRule>> = {
  ...retryRules,
  ...failureRules,
  // Schemas are checked when they are compiled, with a message that names the path.
  controlSchema: optionRules.anything,
  outputSchema: optionRules.anything,
  schema: optionRules.anything,
  await: optionRules.flag,
  skip: optionRules.callback,
  providers: {
    fits: (value) => isObject(value) && Object.values(value).every((item) => typeof item === 'function'),
    form: 'an object of functions by provider id',
  },
  disableOutputSanitization: optionRules.flag,
}

type StartStep = (id: string, handler: StepCall['handler'], options?: AnyStepOptions) => Promise<unknown>

/**
 * Creates the object with which a workflow function starts steps.
 *
 * @param begin - Called for each step; returns the promise of its result.
 * @param workflow - The options of the workflow, used as defaults.
 */
export function createStep(begin: (call: StepCall) => Promise<unknown>, workflow: FailureOptions): Step {
  const start = (call: StepCall): Promise<unknown> =>
    returnsFailure(call, workflow) ? begin(call).then(toOutcome) : begin(call)
  // Closures, so that destructuring (`const { email } = step`) works. Written out, because a loop or a factory makes
  // each call three times slower.
  const steps: Record<StepKind, StartStep> = {
    email: (id, handler, options = noOptions) => start({ kind: 'email', id, handler, options }),
    sms: (id, handler, options = noOptions) => start({ kind: 'sms', id, handler, options }),
    push: (id, handler, options = noOptions) => start({ kind: 'push', id, handler, options }),
    chat: (id, handler, options = noOptions) => start({ kind: 'chat', id, handler, options }),
    inApp: (id, handler, options = noOptions) => start({ kind: 'inApp', id, handler, options }),
    tool: (id, handler, options = noOptions) => start({ kind: 'tool', id, handler, options }),
    digest: (id, handler, options = noOptions) => start({ kind: 'digest', id, handler, options }),
    delay: (id, handler, options = noOptions) => start({ kind: 'delay', id, handler, options }),
    waitForEvent: (id, handler, options = noOptions) => start({ kind: 'waitForEvent', id, handler, options }),
    throttle: (id, handler, options = noOptions) => start({ kind: 'throttle', id, handler, options }),
    trigger: (id, handler, options = noOptions) => start({ kind: 'trigger', id, handler, options }),
    custom: (id, handler, options = noOptions) => start({ kind: 'custom', id, handler, options }),
    httpRequest: (id, handler, options = noOptions) => start({ kind: 'httpRequest', id, handler, options }),
  }
  return steps as unknown as Step
}

/**
 * Rejects an invalid step call.
 *
 * @throws TypeError - The id, the handler or the options are invalid.
 */
export function checkStepCall(call: StepCall): void {
  checkId('step', call.id)
  if (typeof call.handler !== 'function')
    throw new TypeError(`Step "${call.id}": the second argument must be a function that returns the step's output.`)
  if (call.options === noOptions) return
  checkOptions(`Step "${call.id}"`, call.options, optionsOfStep)
  if (call.options.outputSchema !== undefined && !isShapedByOption(call.kind))
    throw new TypeError(
      `Step "${call.id}": the option outputSchema is not allowed, because step.${call.kind} has a fixed output.`,
    )
  if (call.options.schema !== undefined && call.kind !== 'waitForEvent')
    throw new TypeError(
      `Step "${call.id}": the option schema is not allowed: it describes the payload of an event, and step.${call.kind} waits for none.`,
    )
  if (call.options.await !== undefined && call.kind !== 'trigger')
    throw new TypeError(
      `Step "${call.id}": the option await is not allowed, because step.${call.kind} triggers no runs.`,
    )
}
