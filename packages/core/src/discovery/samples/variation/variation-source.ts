import { chooseOf } from './choose-value.ts'
import type { PlaceRead, Variation, VariationSource } from './variation.ts'

/** A source that records which places were read. */
export interface RecordingVariationSource extends VariationSource {
  /** The places that were read and that have several possible values. */
  readonly reads: Map<string, PlaceRead>
  /** Whether any part of the payload was read, and what was read last. */
  readonly seen: { payload: boolean; last: string }
  /** Paths whose samples do not match their schemas. */
  readonly misfits: ReadonlySet<string>
}

/** The maximum number of times that a run may read sample data. */
const maxReads = 20_000

/**
 * Creates the source of one recorded run.
 *
 * @param variation - The variation of this run.
 * @param onLimit - Called when too many values were read; returns the error to throw.
 */
export function createVariationSource(
  variation: Variation,
  onLimit: (reason: string) => Error,
): RecordingVariationSource {
  const reads = new Map<string, PlaceRead>()
  const seen = { payload: false, last: '' }
  const misfits = new Set<string>()
  let readCount = 0
  const touch = (path?: string): void => {
    readCount++
    if (readCount > maxReads) throw onLimit(`read sample data more than ${maxReads} times`)
    if (path === undefined) return
    seen.last = path
    if (path.startsWith('payload')) seen.payload = true
  }
  return {
    reads,
    seen,
    misfits,
    touch,
    refuse: (place) => misfits.add(place),
    peek: (path, count, values) => chooseOf(variation, path, { ...values, count }),
    choose(path, count, { literals = 0, isAside = false, isList = false } = {}) {
      touch(path)
      const previousRead = reads.get(path)
      if (previousRead) return previousRead.chosen
      if (count + literals < 2) return 0
      const chosen = chooseOf(variation, path, { count, literals, isAside })
      reads.set(path, { count, literals, isAside, isList, chosen })
      return chosen
    },
  }
}
