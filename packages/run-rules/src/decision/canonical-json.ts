/** The number of remaining characters; below 0 if the text is too long. */
interface Budget {
  left: number
}

/**
 * Returns JSON in which equal values have equal text, because the fields of objects are sorted. Only includes own
 * properties.
 *
 * @param value - JSON data.
 * @param most - The maximum length of the text.
 * @returns The text; `undefined` if it would be longer, or if the value is not JSON.
 * @example
 * toCanonicalJson({ b: 1, a: [true] }, 100) // '{"a":[true],"b":1}'
 */
export function toCanonicalJson(value: unknown, most: number): string | undefined {
  // Each level takes characters, so the budget bounds the depth too.
  return write(value, { left: most })
}

function write(value: unknown, budget: Budget): string | undefined {
  if (typeof value !== 'object' || value === null) return spend(JSON.stringify(value), budget)
  const isList = Array.isArray(value)
  const names = isList ? value.keys() : Object.keys(value).sort()
  const parts: string[] = []
  budget.left -= 2
  for (const name of names) {
    if (budget.left < 0) return undefined
    const label = typeof name === 'string' ? spend(`${JSON.stringify(name)}:`, budget) : ''
    const part = label === undefined ? undefined : write(Reflect.get(value, name), budget)
    if (part === undefined) return undefined
    parts.push(`${label}${part}`)
    budget.left -= parts.length > 1 ? 1 : 0
  }
  if (budget.left < 0) return undefined
  return isList ? `[${parts.join()}]` : `{${parts.join()}}`
}

function spend(text: string | undefined, budget: Budget): string | undefined {
  budget.left -= text?.length ?? 0
  return budget.left < 0 ? undefined : text
}
