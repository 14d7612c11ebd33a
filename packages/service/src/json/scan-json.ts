const [quote, backslash, comma, openBracket, closeBracket, openBrace, closeBrace] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
] as const

/** The limits of a JSON text. */
export interface JsonLimits {
  /** The maximum number of values: fields, items, lists and objects. */
  readonly maxValues: number
  /** The maximum depth of lists and objects. */
  readonly maxDepth: number
}

/**
 * The limits of a JSON text that a caller sends: a body, or a file. Enough for the largest lists of operations;
 * validating more takes noticeable time.
 */
export const inputLimits: JsonLimits = { maxValues: 50_000, maxDepth: 100 }

/**
 * Returns the limit that a JSON text exceeds. Scans the bytes, because parsing and validating many small values takes
 * much longer. Invalid JSON may be within the limits.
 *
 * @param bytes - The UTF-8 text.
 */
export function findExceededLimit(
  bytes: Uint8Array,
  { maxValues, maxDepth }: JsonLimits,
): keyof JsonLimits | undefined {
  let [values, depth] = [1, 0]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      at = findEndOfString(bytes, at)
      if (at === -1) return undefined
    } else if (byte === comma) values++
    else if (byte === openBracket || byte === openBrace) {
      values++
      depth++
    } else if (byte === closeBracket || byte === closeBrace) depth--
    if (values > maxValues) return 'maxValues'
    if (depth > maxDepth) return 'maxDepth'
  }
  return undefined
}

function findEndOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let escapes = 0
    while (bytes[end - 1 - escapes] === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return -1
}
