import type { ExploredRun } from './discovery.ts'
import type { RecordedRun } from './recording/recorded-run.ts'
import type { Variation } from './samples/variation/variation.ts'

/**
 * Returns a run as it is kept.
 *
 * @param run - The run, and the sample data it saw.
 */
export function toExplored({
  variation,
  calls,
  done,
  end,
}: Pick<RecordedRun, 'calls' | 'done' | 'end'> & { readonly variation: Variation }): ExploredRun {
  return {
    variation,
    order: calls.map(({ id }) => id),
    calls: new Map(calls.map((call) => [call.id, call.done])),
    done,
    hasEnded: end === 'normal',
  }
}
