/**
 * Creates a comparison of step ids by what tells them apart: where both hold a word that the other lacks, the one whose
 * word stands first in the source text comes first; numbers count by their size. So the steps of a loop over fixed names
 * stand in the order of the names, although all are called at one place.
 *
 * @param source - The source text of the workflow function.
 * @returns The comparison; 0 where nothing is known.
 */
export function compareWords(source: string): (left: string, right: string) => number {
  const places = collectPlaces(source)
  const placeOf = (words: readonly string[]): number =>
    Math.min(...words.map((word) => places.get(word) ?? Number.POSITIVE_INFINITY))
  return (left, right) => {
    const [words, others] = [toWords(left), toWords(right)]
    const own = words.filter((word) => !others.includes(word))
    const other = others.filter((word) => !words.includes(word))
    const [number, otherNumber] = [Number(own[0]), Number(other[0])]
    if (own.length === 1 && other.length === 1 && number !== otherNumber && !Number.isNaN(number - otherNumber))
      return number - otherNumber
    const [place, otherPlace] = [placeOf(own), placeOf(other)]
    return Number.isFinite(place) && Number.isFinite(otherPlace) ? place - otherPlace : 0
  }
}

function toWords(text: string): readonly string[] {
  return text.match(/\p{L}+|\p{N}+/gu) ?? []
}

function collectPlaces(source: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const { 0: word, index } of source.matchAll(/\p{L}+|\p{N}+/gu)) if (!places.has(word)) places.set(word, index)
  return places
}
