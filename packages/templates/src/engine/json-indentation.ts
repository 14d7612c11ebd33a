/** The maximum indentation of one level; `JSON.stringify` ignores the rest. */
const maxWidth = 10

/**
 * Counts the memory of the indentation of JSON text before the text is created. Each line is indented by its depth, so
 * the text of nested lists can be hundreds of times as long as their data.
 *
 * @param value - The value that is printed as JSON.
 * @param space - The indentation of one level, as for `JSON.stringify`: a number of spaces, or text.
 * @param memoryLimit - Throws if the limit is exceeded. The rest of the value is then not read.
 * @returns The number of characters counted.
 */
export function countIndentation(value: unknown, space: unknown, memoryLimit: { use(units: number): void }): number {
  const width = toWidth(space)
  if (width === 0) return 0
  let total = 0
  const count = (container: unknown, depth: number): void => {
    if (typeof container !== 'object' || container === null) return
    const items: readonly unknown[] = Array.isArray(container) ? container : Object.values(container)
    if (items.length === 0) return
    // A line for each item, and one for the closing bracket.
    const length = items.length * (1 + (depth + 1) * width) + 1 + depth * width
    memoryLimit.use(length)
    total += length
    for (const item of items) count(item, depth + 1)
  }
  count(value, 0)
  return total
}

function toWidth(space: unknown): number {
  if (typeof space === 'string') return Math.min(space.length, maxWidth)
  return typeof space === 'number' ? Math.min(Math.max(Math.trunc(space) || 0, 0), maxWidth) : 0
}
