const anywhere = /\p{L}+|\p{N}+/gu
// What stands between quotes of one kind as a whole; a text of several words has its words found anywhere.
const quoted = /(?<=(['"`]))(?:\p{L}+|\p{N}+)(?=\1)/gu

/**
 * Creates a comparison of step ids by what tells them apart: where both hold a word that the other lacks, the one whose
 * word stands first in the source text comes first; numbers count by their size. So the steps of a loop over fixed names
 * stand in the order of the names, although all are called at one place. Words in quotes count before others: names of
 * variables and of methods, as in `step.sms`, say nothing of an order.
 *
 * @param source - The source text of the workflow function.
 * @returns The comparison; 0 where nothing is known.
 */
export function compareWords(source: string): (left: string, right: string) => number {
  // Most functions call each step at a place of its own, and have no use for their words.
  let all: readonly ReadonlyMap<string, number>[] | undefined
  const placeOf = (words: readonly string[], places: ReadonlyMap<string, number>): number =>
    Math.min(...words.map((word) => places.get(word) ?? Number.POSITIVE_INFINITY))
  return (left, right) => {
    const [words, others] = [toWords(left), toWords(right)]
    const own = words.filter((word) => !others.includes(word))
    const other = others.filter((word) => !words.includes(word))
    const [number, otherNumber] = [Number(own[0]), Number(other[0])]
    if (own.length === 1 && other.length === 1 && number !== otherNumber && !Number.isNaN(number - otherNumber))
      return number - otherNumber
    all ??= [quoted, anywhere].map((pattern) => collectPlaces(source, pattern))
    for (const places of all) {
      const [place, otherPlace] = [placeOf(own, places), placeOf(other, places)]
      if (Number.isFinite(place) && Number.isFinite(otherPlace)) return place - otherPlace
    }
    return 0
  }
}

function toWords(text: string): readonly string[] {
  return text.match(anywhere) ?? []
}

function collectPlaces(source: string, pattern: RegExp): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const { 0: word, index } of source.matchAll(pattern)) if (!places.has(word)) places.set(word, index)
  return places
}
