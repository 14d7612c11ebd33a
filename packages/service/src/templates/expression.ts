/** An output inside its braces: a path and filters. */
export interface Expression {
  /** The path of the value, such as `['payload', 'order', 'id']`. */
  readonly path: readonly string[]
  /** The filters, in order. */
  readonly filters: readonly FilterCall[]
}

/** A filter of an expression. */
export interface FilterCall {
  readonly name: string
  /** The text after the colon; absent if there is none. */
  readonly argument?: string
}

const maxLength = 1000
const root = /[A-Za-z_][\w-]*/y
const member = /\s*(?:\.\s*([\w-]+)|\[\s*(?:"([^"]*)"|'([^']*)'|(\d{1,9}))\s*\])/y
const filter = /\s*\|\s*([A-Za-z_]\w*)(?:\s*:\s*(?:"([^"]*)"|'([^']*)'|(-?\d{1,15}(?:\.\d{1,15})?)))?/y

/**
 * Parses an expression: names joined by dots or brackets, then filters with at most one literal argument.
 *
 * @param source - The text between the braces.
 * @returns The expression, or `undefined` for anything else.
 */
export function parseExpression(source: string): Expression | undefined {
  const text = source.trim()
  if (text.length > maxLength) return undefined
  const first = take(root, text, 0)
  if (!first) return undefined
  const path = [first.match[0]]
  let at = first.end
  for (let token = take(member, text, at); token; token = take(member, text, at)) {
    const [, name, double, single, index] = token.match
    path.push(name ?? double ?? single ?? index ?? '')
    at = token.end
  }
  const filters: FilterCall[] = []
  for (let token = take(filter, text, at); token; token = take(filter, text, at)) {
    const [, name = '', double, single, number] = token.match
    const argument = double ?? single ?? number
    filters.push(argument === undefined ? { name } : { name, argument })
    at = token.end
  }
  return text.slice(at).trim() === '' ? { path, filters } : undefined
}

function take(pattern: RegExp, text: string, at: number): { match: RegExpExecArray; end: number } | undefined {
  pattern.lastIndex = at
  const match = pattern.exec(text)
  return match === null ? undefined : { match, end: pattern.lastIndex }
}
