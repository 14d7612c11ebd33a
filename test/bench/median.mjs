export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** The median of the quotients of figures that were taken in turn. */
export function medianQuotient(left, right) {
  return median(left.map((value, index) => value / right[index]))
}
