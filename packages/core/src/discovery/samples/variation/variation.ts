/** Facts about the possible values of a path, other than their number. */
export interface PlaceValues {
  /** The number of additional values: literals of the source text. @default 0 */
  readonly literals?: number
  /** Whether the first value is both the fullest and the emptiest one. @default false */
  readonly isAside?: boolean
  /** Whether the values are lists: of one item, of two, of none. @default false */
  readonly isList?: boolean
  /** The one to display, if it is not the fullest. */
  readonly preferred?: number
}

/** The values of paths in one run. Paths are identified by name. */
export interface Variation {
  /** Whether other paths have their first, fullest value or their last, emptiest one. */
  readonly base: 'fullest' | 'emptiest'
  /** The index of the value at places that differ from the base. */
  readonly changes: ReadonlyMap<string, number>
  /** The selected sample of the workflow. @default none */
  readonly sample?: number
}

/** The fullest sample. */
export const fullest: Variation = Object.freeze({ base: 'fullest', changes: new Map() })

/** Selects the values of sample data, and records which paths were read. */
export interface VariationSource {
  /**
   * Selects one of the possible values of a path.
   *
   * @param path - The path.
   * @param count - How many values its schema has, fullest first.
   * @param values - Other facts about the values.
   * @returns The index of the value.
   */
  choose(path: string, count: number, values?: PlaceValues): number
  /** Chooses as {@link VariationSource.choose} does, without a trace of it. */
  peek(path: string, count: number, values?: PlaceValues): number
  /**
   * Counts a read that chooses nothing.
   *
   * @param path - The path.
   */
  touch(path?: string): void
  /** Records that the sample of a path does not match its schema. */
  refuse?(place: string): void
  /** Whether a path always has the same value, and nothing is recorded. @default false */
  readonly isFixed?: boolean
  /** How many values further than a preview a fixed source chooses. @default 0 */
  readonly turns?: number
}

/** A path that a run has read. */
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
