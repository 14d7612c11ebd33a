import type { StepContext } from '../../workflow/kinds/signature.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import type { VariationSource } from './variation/variation.ts'

const statuses = ['completed', 'skipped', 'canceled', 'failed'] as const
const aside = { isAside: true } as const
const leftOut = { toJSON: (): undefined => undefined }

const readOf: unique symbol = Symbol('read')

interface Read {
  readonly [readOf]: { readonly path: string; readonly variationSource: VariationSource }
}

// Shared: separate accessors would give every result its own hidden class.
const fields: PropertyDescriptorMap & ThisType<Read> = {
  status: {
    enumerable: true,
    get() {
      return readStatus(this[readOf])
    },
  },
  error: {
    enumerable: true,
    get() {
      return readStatus(this[readOf]) === 'failed'
    },
  },
}

/**
 * Returns the outcome of a step in a sample run. Once its status is read, it is varied like any other value.
 *
 * @param call - The call of the step.
 * @param variationSource - Selects the status, and records reads.
 */
export function toSampleContext({ id }: StepCall, variationSource: VariationSource): StepContext {
  const state = Object.defineProperties({ [readOf]: { path: pathOf(id), variationSource } }, fields)
  return Object.assign(Object.create(leftOut), { timestamp: 0, state })
}

function readStatus({ path, variationSource }: Read[typeof readOf]): string {
  return statuses[variationSource.choose(path, statuses.length, aside)] ?? 'completed'
}

/**
 * Returns whether a step of a sample run completed, without counting as a read of its status.
 *
 * @param call - The step.
 * @param variationSource - Selects the status.
 */
export function isCompleted({ id }: StepCall, variationSource: VariationSource): boolean {
  return variationSource.peek(pathOf(id), statuses.length, aside) === 0
}

function pathOf(id: string): string {
  return `steps/${id}/_ctx/status`
}
