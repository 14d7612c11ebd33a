import type { NotedText } from './noted-texts.ts'

/** The kind of value a literal of the source text stands in for. */
export type LiteralKind = 'text' | 'number' | 'word' | 'length' | 'same'

/** A further value of a place: a literal of the function's source text. */
export interface LiteralValue {
  readonly kind: LiteralKind
  /** Which literal it is, the same at every place. */
  readonly key: number
  /** Whether the literal stands beside the place's name in the source text. */
  readonly isNear: boolean
  /** What the place has in its stead: of a list, how many items. */
  readonly value?: unknown
}

/** The values that a place can have, beside a default. */
export interface PlaceValues {
  /** Literals, behind the values that the schema names. */
  readonly literals?: readonly LiteralValue[] | undefined
  /** Whether the first value stands for both the fullest and the emptiest one. */
  readonly isAside?: boolean | undefined
  /** Whether the other values are seldom met: what conditions compare is tried before them. @default false */
  readonly isRare?: boolean | undefined
  /** Whether the values are lists: of one item, of two, of none. */
  readonly isList?: boolean
  /** The one to show a person, where it is not the fullest. */
  readonly preferred?: number
}

/** A literal that many places see. */
export interface Everywhere {
  readonly kind: LiteralKind
  readonly key: number
  /** Whether only the items of lists do. @default false */
  readonly isInLists?: boolean
  /** The places that do not, since others lie within them. @default none */
  readonly but?: ReadonlySet<string>
}

/** Which of a place's values a run sees. Places are named by their path. */
export interface Variation {
  /** Whether places that are not named see their first, fullest value or their last, emptiest one. */
  readonly base: 'fullest' | 'emptiest'
  /** The index of the value at places that differ from the base. */
  readonly changes: ReadonlyMap<string, number>
  /** A literal that every place sees which can have it, or every one in a list, unless it is named. */
  readonly everywhere?: Everywhere
  /** Whether the items of lists see, in turn, the literals that they are compared with, or each two the other way round. @default false */
  readonly isInTurn?: boolean | 'swapped'
  /** Whether free texts and numbers are others than usual. @default false */
  readonly isRenamed?: boolean
  /** The texts of places that are compared with each other. @default as usual */
  readonly texts?: ReadonlyMap<string, string>
}

/** Chooses the values of sample data, and remembers which places were read. */
export interface VariationSource {
  /**
   * Chooses among the values a place can have.
   *
   * @param path - The place.
   * @param count - How many values there are, fullest first.
   * @param values - Further ones, and which is shown to a person.
   * @returns The index of the value.
   */
  choose(path: string, count: number, values?: PlaceValues): number
  /** Chooses as {@link VariationSource.choose} does, without a trace of it. */
  peek(path: string, count: number, values?: PlaceValues): number
  /**
   * Counts a read that chooses nothing.
   *
   * @param path - The place, where its value was chosen before.
   */
  touch(path?: string): void
  /** Notes a place that has a text, or could have one. */
  note?(path: string, noted: NotedText): void
  /** Returns the text that a place has in this run whatever its schema says; `undefined` for the usual one. */
  textAt?(path: string): string | undefined
  /** Notes a free text that code has read. */
  show?(text: string): void
  /** Notes where the sample of a place fits its schema in no form. */
  refuse?(place: string): void
  /** Whether free texts and numbers are others than usual. @default false */
  readonly isRenamed?: boolean
  /** Whether a place always has the same value, and nothing is remembered. @default false */
  readonly isFixed?: boolean
}

/** A place that a run has read. */
export interface PlaceRead {
  /** How many values the schema names. */
  readonly count: number
  readonly literals: readonly LiteralValue[]
  readonly isAside: boolean
  readonly isRare?: boolean
  readonly isList: boolean
  /** The value it had. */
  readonly chosen: number
  /** How often it was read. */
  times: number
  /** Where it stands for several places: the texts that they have together. */
  readonly texts?: ReadonlyMap<string, string>
}

/** A place that stands for several: they are as usual, or have texts that belong together. */
export const atOnce: Pick<PlaceRead, 'count' | 'literals' | 'isAside' | 'isList'> = {
  count: 1,
  literals: [{ kind: 'same', key: 0, isNear: true }],
  isAside: true,
  isList: false,
}
