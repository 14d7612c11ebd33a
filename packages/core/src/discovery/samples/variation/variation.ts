/** Properties of the possible values of a path, other than their number. */
export interface PlaceValues {
  /** The number of additional values, which are literals from the source text. @default 0 */
  readonly literals?: number
  /** Whether the first value is both the fullest and the emptiest one. @default false */
  readonly isAside?: boolean
  /** Whether the values are lists with one item, two items and no items. @default false */
  readonly isList?: boolean
  /** The index of the value to display, if it is not the fullest. */
  readonly preferred?: number
}

/** The values selected for paths in one run. Paths are identified by name. */
export interface Variation {
  /** Whether all other paths have their first (fullest) or last (emptiest) value. */
  readonly base: 'fullest' | 'emptiest'
  /** The index of the selected value, for paths that differ from the base. */
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
   * @param path - The path of the value.
   * @param count - The number of values that its schema allows, fullest first.
   * @param values - Other properties of the values.
   * @returns The index of the value.
   */
  choose(path: string, count: number, values?: PlaceValues): number
  /** Selects a value as {@link VariationSource.choose} does, without recording it. */
  peek(path: string, count: number, values?: PlaceValues): number
  /**
   * Counts a read that does not select a value.
   *
   * @param path - The path.
   */
  touch(path?: string): void
  /** Records that the sample of a path does not match its schema. */
  refuse?(place: string): void
  /** Whether a path always has the same value, and nothing is recorded. @default false */
  readonly isFixed?: boolean
  /** How many values a fixed source advances relative to a preview. @default 0 */
  readonly turns?: number
}

/** A path that a run has read. */
export interface PlaceRead {
  /** The number of values that its schema allows. */
  readonly count: number
  /** The number of literals that follow. */
  readonly literals: number
  readonly isAside: boolean
  readonly isList: boolean
  /** The index of the value that was selected in the run. */
  readonly chosen: number
}
