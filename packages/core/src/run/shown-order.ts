import { nextTurn } from '../base/event-loop.ts'
import { hasRacers, takeFirst } from '../discovery/recording/racers.ts'
import type { Variation, VariationSource } from '../discovery/samples/variation/variation.ts'
import type { StepCall } from '../workflow/steps/step-call.ts'

/** Gives the sample result of a step when its turn has come. */
export type ShownOrder = (call: StepCall, make: () => unknown) => unknown

/**
 * Creates the order in which the steps of a preview are done: at once, unless discovery found the shown step where one
 * of several open steps came first. Then they are done as they were there, one in each turn of the event loop.
 *
 * @param variation - The sample data; `undefined` for the usual one.
 * @param variationSource - Chooses by it.
 */
export function createShownOrder(variation: Variation | undefined, variationSource: VariationSource): ShownOrder {
  if (!variation || !hasRacers(variation)) return (_call, make) => make()
  const open: { readonly call: StepCall; readonly release: () => void }[] = []
  const releaseNext = (): void => {
    takeFirst(open, variationSource)?.release()
    if (open.length > 0) nextTurn(releaseNext)
  }
  return async (call, make) => {
    await new Promise<void>((release) => {
      open.push({ call, release })
      if (open.length === 1) nextTurn(releaseNext)
    })
    return make()
  }
}
