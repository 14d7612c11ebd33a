import type { StepCall } from '../../workflow/steps/step-call.ts'
import type { Variation, VariationSource } from '../samples/variation/variation.ts'

const prefix = 'first:'
const aside = { isAside: true } as const

/**
 * Notes that a step could have been the first to be done, so that it is tried.
 *
 * @param variationSource - Of the run.
 * @param call - The step.
 */
export function noteRacer(variationSource: VariationSource, { id }: StepCall): void {
  variationSource.choose(`${prefix}${id}`, 2, aside)
}

/**
 * Takes the step that is done next out of those that are open: the oldest, unless the run has another come first.
 *
 * @param open - The open steps, oldest first.
 * @param variationSource - Of the run.
 */
export function takeFirst<TOpen extends { readonly call: StepCall }>(
  open: TOpen[],
  variationSource: Pick<VariationSource, 'peek'>,
): TOpen | undefined {
  const index =
    open.length < 2 ? 0 : open.findIndex(({ call }) => variationSource.peek(`${prefix}${call.id}`, 2, aside) === 1)
  return open.splice(Math.max(index, 0), 1)[0]
}

/**
 * Returns whether a variation has a step done before older ones.
 *
 * @param variation - The variation.
 */
export function hasRacers({ changes }: Variation): boolean {
  return [...changes].some(([path, chosen]) => path.startsWith(prefix) && chosen === 1)
}
