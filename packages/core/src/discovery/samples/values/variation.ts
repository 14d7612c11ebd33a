import { createNotedTexts, type NotedText, type NotedTexts } from './noted-texts.ts'

/** The kind of value a literal of the source text stands in for. */
export type LiteralKind = 'text' | 'number' | 'word' | 'length' | 'same'

/** A further value of a place: a literal of the function's source text. */
export interface LiteralValue {
  readonly kind: LiteralKind
  /** Which literal it is, the same at every place. */
  readonly key: number
  /** Whether the literal stands beside the place's name in the source text. */
  readonly isNear: boolean
}

/** The values that a place can have, beside a default. */
export interface PlaceValues {
  /** Literals, behind the values that the schema names. */
  readonly literals?: readonly LiteralValue[] | undefined
  /** Whether the first value stands for both the fullest and the emptiest one. */
  readonly isAside?: boolean | undefined
  /** Whether the values are lists: of one item, of two, of none. */
  readonly isList?: boolean
  /** The one to show a person, where it is not the fullest. */
  readonly preferred?: number
}

/** Which of a place's values a run sees. Places are named by their path. */
export interface Variation {
  /** Whether places that are not named see their first, fullest value or their last, emptiest one. */
  readonly base: 'fullest' | 'emptiest'
  /** The index of the value at places that differ from the base. */
  readonly changes: ReadonlyMap<string, number>
  /** A literal that every place sees which can have it, unless it is named. */
  readonly everywhere?: { readonly kind: LiteralKind; readonly key: number }
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
  readonly isList: boolean
  /** The value it had. */
  readonly chosen: number
  /** How often it was read. */
  times: number
  /** Of two places that are compared: the texts with which they are the same, or differ. */
  readonly texts?: ReadonlyMap<string, string>
}

/** A source that remembers. */
export interface RecordingVariationSource extends VariationSource {
  /** The places that were read and that can have several values. */
  readonly reads: Map<string, PlaceRead>
  /** Whether anything of the payload was read, and whether that was the last that was read. */
  readonly seen: { payload: boolean; last: string }
  /** The places that were read last, oldest first. */
  readonly recent: string[]
  /** Places that have a text. */
  readonly noted: NotedTexts
  /** Free texts that were read. */
  readonly texts: ReadonlySet<string>
  /** Where samples do not fit their schemas. */
  readonly misfits: ReadonlySet<string>
}

/** The longest a run may go on reading sample data. */
const maxReads = 20_000
const maxRecent = 3
const maxTexts = 200

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
  const reads = new Map<string, PlaceRead>()
  const seen = { payload: false, last: '' }
  const recent: string[] = []
  const texts = new Set<string>()
  const misfits = new Set<string>()
  const noted = createNotedTexts()
  let readCount = 0
  const touch = (path?: string): void => {
    readCount++
    if (readCount > maxReads) throw onLimit(`read sample data more than ${maxReads} times`)
    if (path === undefined) return
    seen.last = path
    if (recent.at(-1) !== path) recent.push(path)
    if (recent.length > maxRecent) recent.shift()
    if (path.startsWith('payload')) seen.payload = true
    const read = reads.get(path)
    if (read) read.times++
    noted.touch(path)
  }
  return {
    reads,
    seen,
    recent,
    texts,
    misfits,
    noted,
    note: noted.note,
    ...(variation.texts && { textAt: (path: string) => variation.texts?.get(path) }),
    ...(variation.isRenamed && { isRenamed: true }),
    touch,
    refuse: (place) => misfits.add(place),
    show(text) {
      if (texts.size < maxTexts) texts.add(text)
    },
    peek: (path, count, values) => chooseOf(variation, path, { count, values }),
    choose(path, count, { literals = [], isAside = false, isList = false } = {}) {
      touch(path)
      const known = reads.get(path)
      if (known) return known.chosen
      if (count + literals.length < 2) return 0
      const chosen = chooseOf(variation, path, { count, values: { literals, isAside } })
      reads.set(path, { count, literals, isAside, isList, chosen, times: 1 })
      return chosen
    },
  }
}

/**
 * Returns the value that a variation has at a place.
 *
 * @param variation - The variation.
 * @param path - The place.
 * @param place - How many values its schema names, and further ones, which are only looked at where they count.
 */
export function chooseOf(
  { base, changes, everywhere }: Variation,
  path: string,
  { count, values = {} }: { readonly count: number; readonly values?: PlaceValues | undefined },
): number {
  const changed = changes.get(path)
  if (changed !== undefined && (changed < count || changed < count + (values.literals?.length ?? 0))) return changed
  if (everywhere) {
    const { literals = [] } = values
    const index = literals.findIndex(({ kind, key }) => kind === everywhere.kind && key === everywhere.key)
    if (index !== -1) return count + index
  }
  return base === 'fullest' || values.isAside || count === 0 ? 0 : count - 1
}

/**
 * Returns a text that is the same for variations that say the same.
 *
 * @param variation - The variation.
 */
export function keyOfVariation({ base, changes, everywhere, texts = new Map() }: Variation): string {
  const byPath = ([left]: [string, unknown], [right]: [string, unknown]): number => (left < right ? -1 : 1)
  return JSON.stringify([base, [...changes].toSorted(byPath), everywhere, [...texts].toSorted(byPath)])
}
