/** Which of a place's values a run sees. Places are named by their path. */
export interface Variation {
  /** Whether places that are not named see their first, fullest value or their last, emptiest one. */
  readonly base: 'fullest' | 'emptiest'
  /** The index of the value at places that differ from the base. */
  readonly changes: ReadonlyMap<string, number>
}

/** Chooses the values of sample data, and remembers which places were read. */
export interface VariationSource {
  /**
   * Chooses among the values a place can have.
   *
   * @param path - The place.
   * @param count - How many values there are, fullest first.
   * @param preferred - The one to show a person, where it is not the fullest.
   * @returns The index of the value.
   */
  choose(path: string, count: number, preferred?: number): number
  /** Counts a read that chooses nothing. */
  touch(): void
}

/** A source that remembers. */
export interface RecordingVariationSource extends VariationSource {
  /** The places that were read, each with the number of values it can have. */
  readonly reads: ReadonlyMap<string, number>
}

/** The longest a run may go on reading sample data. */
const maxReads = 20_000

/**
 * Creates the source of one recorded run.
 *
 * @param variation - What this run sees.
 * @param onLimit - Told when too much was read; gives what is thrown.
 */
export function createVariationSource(
  variation: Variation,
  onLimit: (reason: string) => Error,
): RecordingVariationSource {
  const reads = new Map<string, number>()
  let readCount = 0
  const touch = (): void => {
    readCount++
    if (readCount > maxReads) throw onLimit(`read sample data more than ${maxReads} times`)
  }
  return {
    reads,
    touch,
    choose(path, count) {
      touch()
      if (count < 2) return 0
      reads.set(path, count)
      return variation.changes.get(path) ?? (variation.base === 'fullest' ? 0 : count - 1)
    },
  }
}

/** Chooses what is best shown to a person: defaults and examples, else the fullest value. */
export const previewValues: VariationSource = Object.freeze({
  choose: (_path: string, _count: number, preferred = 0) => preferred,
  touch: () => undefined,
})
