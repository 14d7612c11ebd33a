/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/**
 * The median of the quotients of figures that were taken in turn.
 *
 * @param {readonly number[]} left
 * @param {readonly number[]} right
 */
export function medianQuotient(left, right) {
  return median(left.map((value, index) => value / right[index]))
}
