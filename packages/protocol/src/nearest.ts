/**
 * Returns the name that was probably meant, or undefined if none is similar enough.
 *
 * @param typed - The unknown name.
 * @param names - The known names.
 * @example
 * nearest('controlSchma', ['controlSchema', 'skip']) // 'controlSchema'
 */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const start = typed.slice(0, 100).toLowerCase()
  const extended = start.length > 1 && names.find((name) => name.toLowerCase().startsWith(start))
  if (extended) return extended
  let best: string | undefined
  let least = 100
  for (const name of names) {
    const distance = toDistance(start, name.toLowerCase())
    if (distance >= Math.min(least, name.length) || distance > Math.max(2, name.length / 3)) continue
    best = name
    least = distance
  }
  return best
}

/** Returns the Levenshtein distance of two strings. */
function toDistance(from: string, to: string): number {
  let previous = [...new Array(to.length + 1).keys()]
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++)
      current.push(
        Math.min(
          (current[column - 1] ?? 0) + 1,
          (previous[column] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1),
        ),
      )
    previous = current
  }
  return previous[to.length] ?? 0
}
