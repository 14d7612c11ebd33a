import { isObject } from '@trestle/protocol'
import { type OptionRule, oneOf } from '../../base/check-options.ts'
import type { FailureOptions, OutcomeOf } from '../kinds/outcome.ts'
import type { StepContext } from '../kinds/signature.ts'
import type { StepCall } from './step-call.ts'
import { errorOf } from './step-context.ts'

/** The validation rules of {@link FailureOptions}. */
export const failureRules: Readonly<Record<keyof FailureOptions, OptionRule>> = {
  onFailure: oneOf('fail', 'return'),
}

/**
 * Returns whether a step returns its failure to the workflow function.
 *
 * @param call - The step call, which may be invalid.
 * @param workflow - The options of its workflow, used as defaults.
 */
export function returnsFailure({ options }: StepCall, workflow: FailureOptions): boolean {
  return ((isObject(options) && options['onFailure']) || workflow.onFailure) === 'return'
}

/**
 * Returns how a step ended, by status. Read on demand, because discovery varies only what a function reads.
 *
 * @param result - The result of the step, with its context.
 */
export function toOutcome(result: unknown): unknown {
  // Sample results may be callable.
  const { _ctx: context } = (result ?? {}) as { readonly _ctx?: StepContext }
  const statusOf = (): OutcomeOf<unknown>['status'] => {
    const status = context?.state.status ?? 'completed'
    return status === 'completed' || status === 'failed' || status === 'canceled' ? status : 'skipped'
  }
  return {
    get status() {
      return statusOf()
    },
    get result() {
      return statusOf() === 'completed' ? result : undefined
    },
    get error() {
      return statusOf() === 'failed' ? errorOf(context) : undefined
    },
  }
}
