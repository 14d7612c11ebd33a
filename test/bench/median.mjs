export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** The median of the ratios of alternating measurements. */
export function medianQuotient(left, right) {
  return median(left.map((value, index) => value / right[index]))
}
