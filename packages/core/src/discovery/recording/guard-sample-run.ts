import { guardClones } from '../../base/clone-guard.ts'
import { guardRejections } from '../../base/rejection-guard.ts'

/**
 * Guards a run on sample data, see {@link guardRejections} and {@link guardClones}.
 *
 * @returns A function that ends the guard.
 */
export function guardSampleRun(): () => void {
  const ends = [guardRejections(), guardClones()]
  return () => ends.forEach((end) => void end())
}
