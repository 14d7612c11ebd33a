import { checkOptions, type OptionRule, optionRules } from '../../base/check-options.ts'
import { isObject } from '../../base/json.ts'
import { checkId } from './check-id.ts'
import type { AnyStepOptions, StepCall } from './step-call.ts'
import type { Step, StepKind } from './step-kinds.ts'

const noOptions: AnyStepOptions = Object.freeze({})

const optionsOfStep: Readonly<Record<keyof AnyStepOptions, OptionRule>> = {
  // Schemas are judged when they are compiled, with a message that names the place in them.
  controlSchema: optionRules.anything,
  outputSchema: optionRules.anything,
  skip: optionRules.callback,
  providers: {
    fits: (value) => isObject(value) && Object.values(value).every((item) => typeof item === 'function'),
    form: 'an object of functions by provider id',
  },
  disableOutputSanitization: optionRules.flag,
}

type Handler = StepCall['handler']

/**
 * Creates the object through which a workflow function starts steps.
 *
 * @param start - Called for each step; returns the promise of its result.
 */
export function createStep(start: (call: StepCall) => Promise<unknown>): Step {
  const by =
    (kind: StepKind) =>
    (id: string, handler: Handler, options: AnyStepOptions = noOptions): Promise<unknown> =>
      start({ kind, id, handler, options })
  // Closures, so that `const { email } = step` works; one literal, because a loop costs each call three times as much.
  const steps = {
    email: by('email'),
    sms: by('sms'),
    push: by('push'),
    chat: by('chat'),
    inApp: by('inApp'),
    tool: by('tool'),
    digest: by('digest'),
    delay: by('delay'),
    throttle: by('throttle'),
    custom: by('custom'),
    httpRequest: by('httpRequest'),
  } satisfies Record<StepKind, unknown>
  return steps as unknown as Step
}

/**
 * Refuses a step call that was written wrongly.
 *
 * @param call - The call.
 * @throws TypeError - The id, the handler or the options have the wrong form.
 */
export function checkStepCall(call: StepCall): void {
  checkId('step', call.id)
  if (typeof call.handler !== 'function')
    throw new TypeError(`Step "${call.id}": the second argument must be a function that returns the step's output.`)
  if (call.options !== noOptions) checkOptions(`Step "${call.id}"`, call.options, optionsOfStep)
}
