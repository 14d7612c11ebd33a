import type { Token } from './scan-tokens.ts'

/** Returns whether a token opens a bracket. */
export function isOpening({ type, value }: Token): boolean {
  return type === 'mark' && (value === '(' || value === '[' || value === '{')
}

/** Returns whether a token closes a bracket. */
export function isClosing({ type, value }: Token): boolean {
  return type === 'mark' && (value === ')' || value === ']' || value === '}')
}

/**
 * Returns the index of the token that closes a bracket; the number of tokens if there is none.
 *
 * @param tokens - The tokens of the function.
 * @param open - The index of the opening bracket.
 */
export function toEnd(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if (isOpening(token)) depth++
    else if (isClosing(token)) depth--
    if (depth <= 0) return at
  }
  return tokens.length
}

/**
 * Returns the index of the token that opens a bracket; -1 if there is none.
 *
 * @param tokens - The function.
 * @param close - The index of the closing bracket.
 */
export function toBegin(tokens: readonly Token[], close: number): number {
  let depth = 0
  for (let at = close; at >= 0; at--) {
    const token = tokens[at] as Token
    if (isClosing(token)) depth++
    else if (isOpening(token)) depth--
    if (depth <= 0) return at
  }
  return -1
}

/**
 * Returns the start index of each list item, such as an argument, a parameter or a field.
 *
 * @param tokens - The function.
 * @param open - The index of the bracket that opens the list.
 */
export function toParts(tokens: readonly Token[], open: number): readonly number[] {
  const end = toEnd(tokens, open)
  const starts = open + 1 < end ? [open + 1] : []
  for (let at = open + 1; at < end; at++) {
    const token = tokens[at] as Token
    if (isOpening(token)) at = toEnd(tokens, at)
    // A trailing comma does not start another item.
    else if (token.type === 'mark' && token.value === ',' && at + 1 < end) starts.push(at + 1)
  }
  return starts
}

/** Returns whether a token is the dot of a property access, and not part of `...rest`. */
export function isDot(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index]
  if (token?.type !== 'mark') return false
  return token.value === '?.' || (token.value === '.' && tokens[index - 1]?.value !== '.')
}
