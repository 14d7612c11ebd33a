/** The maximum nesting of a response: more than a payload with its envelope needs. */
export const maxJsonDepth = 200

/** The maximum number of values in a response: each takes much more memory than its size in bytes. */
export const maxJsonValues = 1_000_000

/** Parsed JSON, or why it cannot be used. */
export type ParsedJson = { readonly value: unknown } | { readonly fault: JsonFault }

type JsonFault = 'is not JSON' | 'is nested too deeply' | 'has more than a million values'

/**
 * Parses JSON and limits its depth and number of values, so that code that walks the value cannot exhaust the stack or
 * the memory.
 */
export function parseJson(text: string): ParsedJson {
  const excess = findExcess(text)
  if (excess !== undefined) return { fault: excess }
  try {
    return { value: JSON.parse(text) }
  } catch {
    // The parser's message quotes the text, which may contain part of the secret key.
    return { fault: 'is not JSON' }
  }
}

function findExcess(text: string): JsonFault | undefined {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = toStringEnd(text, at)
    // Each comma and colon is followed by a value.
    else if (code === 0x2c || code === 0x3a) values++
    else if (code === 0x5b || code === 0x7b) {
      depth++
      values++
    } else if (code === 0x5d || code === 0x7d) depth--
    if (depth > maxJsonDepth) return 'is nested too deeply'
    if (values > maxJsonValues) return 'has more than a million values'
  }
  return undefined
}

function toStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at++
    else if (code === 0x22) return at
  }
  return text.length
}
