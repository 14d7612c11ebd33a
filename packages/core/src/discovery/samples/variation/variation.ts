/** What is known of the values that a place can have, besides their number. */
export interface PlaceValues {
  /** How many further values follow: literals of the function's text. @default 0 */
  readonly literals?: number
  /** Whether the first value stands for both the fullest and the emptiest one. @default false */
  readonly isAside?: boolean
  /** Whether the values are lists: of one item, of two, of none. @default false */
  readonly isList?: boolean
  /** The one to show a person, if it is not the fullest. */
  readonly preferred?: number
}

/** Which of a place's values a run sees. Places are named by their path. */
export interface Variation {
  /** Whether places that are not named see their first, fullest value or their last, emptiest one. */
  readonly base: 'fullest' | 'emptiest'
  /** The index of the value at places that differ from the base. */
  readonly changes: ReadonlyMap<string, number>
  /** Which of the workflow's samples the run sees. @default none */
  readonly sample?: number
}

/** The fullest sample. */
export const fullest: Variation = Object.freeze({ base: 'fullest', changes: new Map() })

/** Chooses the values of sample data, and remembers which places were read. */
export interface VariationSource {
  /**
   * Chooses among the values a place can have.
   *
   * @param path - The place.
   * @param count - How many values its schema has, fullest first.
   * @param values - What else is known of them.
   * @returns The index of the value.
   */
  choose(path: string, count: number, values?: PlaceValues): number
  /** Chooses as {@link VariationSource.choose} does, without a trace of it. */
  peek(path: string, count: number, values?: PlaceValues): number
  /**
   * Counts a read that chooses nothing.
   *
   * @param path - The place.
   */
  touch(path?: string): void
  /** Notes where the sample of a place fits its schema in no form. */
  refuse?(place: string): void
  /** Whether a place always has the same value, and nothing is remembered. @default false */
  readonly isFixed?: boolean
  /** How many values further than a preview a fixed source chooses. @default 0 */
  readonly turns?: number
}

/** A place that a run has read. */
export interface PlaceRead {
  /** How many values its schema has. */
  readonly count: number
  /** How many literals follow. */
  readonly literals: number
  readonly isAside: boolean
  readonly isList: boolean
  /** The index of the value it had. */
  readonly chosen: number
}
