/** The levels of lists and objects that an answer may have: more than a payload with everything around it needs. */
export const maxJsonDepth = 200

/** A parsed text, or why it cannot be used. */
export type ParsedJson = { readonly value: unknown } | { readonly fault: 'is not JSON' | 'is nested too deeply' }

/**
 * Parses JSON whose depth is bounded, so that nothing that walks over the value can run out of stack.
 *
 * @param text - Any text.
 */
export function parseJson(text: string): ParsedJson {
  if (isDeep(text)) return { fault: 'is nested too deeply' }
  try {
    return { value: JSON.parse(text) }
  } catch {
    // The parser's message quotes the text, and may quote a part of the secret key with it.
    return { fault: 'is not JSON' }
  }
}

function isDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = toStringEnd(text, at)
    else if (code === 0x5b || code === 0x7b) depth++
    else if (code === 0x5d || code === 0x7d) depth--
    if (depth > maxJsonDepth) return true
  }
  return false
}

function toStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at++
    else if (code === 0x22) return at
  }
  return text.length
}
