import { readFileSync } from 'node:fs'

/** A section of the documentation. */
export interface DocsSection {
  /** The page, as its file in the repository. */
  readonly page: string
  /** The headings above it, outermost first. */
  readonly title: string
  readonly text: string
}

interface Indexed {
  readonly section: DocsSection
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

interface Index {
  readonly sections: readonly Indexed[]
  /** The number of sections that contain a word. */
  readonly spread: ReadonlyMap<string, number>
  readonly meanLength: number
}

/** The weight of a word in a heading. */
const headingWeight = 4
const maxWords = 20
/** The BM25 constants that most search engines use. */
const [saturation, lengthWeight] = [1.2, 0.75]

let index: Index | undefined

/**
 * Returns the sections of the documentation that best match a query, ranked by BM25.
 *
 * @param query - Words, names or codes; only the first 20 are used.
 */
export function searchDocs(query: string, limit: number): readonly DocsSection[] {
  index ??= createIndex()
  const { sections, spread, meanLength } = index
  const words = [...new Set(toWords(query))].slice(0, maxWords)
  const ranked = sections.map(({ section, counts, length }) => {
    let score = 0
    for (const word of words) {
      const count = counts.get(word) ?? 0
      if (count === 0) continue
      const rows = spread.get(word) ?? 0
      const rarity = Math.log(1 + (sections.length - rows + 0.5) / (rows + 0.5))
      const norm = saturation * (1 - lengthWeight + (lengthWeight * length) / meanLength)
      score += (rarity * count * (saturation + 1)) / (count + norm)
    }
    return { section, score }
  })
  const hits = ranked.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score)
  return hits.slice(0, limit).map(({ section }) => section)
}

/**
 * Creates the index from the sections that the build writes next to its output, at the same relative path as in the
 * sources.
 */
function createIndex(): Index {
  const file = new URL('../../dist/docs.json', import.meta.url)
  const sections = (JSON.parse(readFileSync(file, 'utf8')) as readonly DocsSection[]).map(toIndexed)
  const spread = new Map<string, number>()
  for (const { counts } of sections) for (const word of counts.keys()) spread.set(word, (spread.get(word) ?? 0) + 1)
  const total = sections.reduce((sum, { length }) => sum + length, 0)
  return { sections, spread, meanLength: total / sections.length }
}

function toIndexed(section: DocsSection): Indexed {
  const counts = new Map<string, number>()
  const words = toWords(section.text)
  const headings = toWords(section.title).flatMap((word) => Array.from({ length: headingWeight }, () => word))
  for (const word of [...headings, ...words]) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { section, counts, length: words.length }
}

/** Indexes `step.inApp` as a whole, and as `step`, `inApp`, `in` and `app`; plurals as singulars. */
function toWords(text: string): readonly string[] {
  return [...text.matchAll(/[A-Za-z0-9]+/g)].flatMap(([word]) => {
    const parts = word.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []
    return [...new Set([word, ...parts])].map((part) => toStem(part.toLowerCase()))
  })
}

const toStem = (word: string): string => (word.length > 3 ? word.replace(/(?<=[^s])s$/, '') : word)
