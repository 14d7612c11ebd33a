import type { Token } from 'liquidjs'

type Library = Pick<typeof import('liquidjs'), 'Token'>

const indexed = new WeakSet<object>()

/**
 * Makes finding the positions of tokens fast, for all engines of the library. For each token, the library reads the
 * text from its start, so the analysis of a template would take time proportional to the square of its length.
 *
 * @param library - Any build of `liquidjs`, of which the tokens are changed.
 */
export function indexPositions(library: Library): void {
  const { prototype } = library.Token
  if (indexed.has(prototype)) return
  indexed.add(prototype)
  let text = ''
  let starts: readonly number[] = [0]
  prototype.getPosition = function (this: Token) {
    if (this.input !== text) starts = findLineStarts(this.input)
    // Comparing a string with itself takes no time, unlike comparing it with a copy from an earlier call.
    text = this.input
    const row = countStarts(starts, this.begin)
    return [row, this.begin - (starts[row - 1] ?? 0) + 1]
  }
}

function findLineStarts(text: string): number[] {
  const starts = [0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return starts
}

/** Returns how many lines start at or before a position. */
function countStarts(starts: readonly number[], position: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((starts[middle] ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low
}
