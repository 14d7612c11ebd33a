import { chooseOf } from './choose-value.ts'
import { createNotedTexts, type NotedTexts } from './noted-texts.ts'
import type { PlaceRead, Variation, VariationSource } from './variation.ts'

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
    choose(path, count, { literals = [], isAside = false, isRare = false, isList = false } = {}) {
      touch(path)
      const known = reads.get(path)
      if (known) return known.chosen
      if (count + literals.length < 2) return 0
      const chosen = chooseOf(variation, path, { count, values: { literals, isAside, isList } })
      reads.set(path, { count, literals, isAside, isRare, isList, chosen, times: 1 })
      return chosen
    },
  }
}
