/** The maximum nesting of a response; code such as `JSON.stringify` needs stack for each level. */
export const maxAnswerDepth = 200

/** The maximum number of values in a response. */
export const maxAnswerValues = 1_000_000

/** The JSON of a response, or why it was rejected. */
export type AnswerJson = { readonly value: unknown } | { readonly reason: string }

/**
 * Parses the body of a response. Counts depth and number of values on the bytes first, so that a hostile body costs one
 * pass and no objects.
 */
export function parseAnswer(body: Uint8Array): AnswerJson {
  const excess = findExcess(body)
  if (excess !== undefined) return { reason: excess }
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) }
  } catch {
    return { reason: 'the body is not JSON' }
  }
}

/** The JSON bytes that the scan looks for. */
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

function findExcess(body: Uint8Array): string | undefined {
  let depth = 0
  let values = 0
  let isText = false
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (isText) {
      if (byte === backslash) at++
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (byte === comma || byte === colon) values++
    else if (byte === openList || byte === openObject) {
      values++
      depth++
    } else if (byte === closeList || byte === closeObject) depth--
    if (depth > maxAnswerDepth) return `the body is nested more than ${maxAnswerDepth} levels deep`
    if (values > maxAnswerValues) return `the body holds more than ${maxAnswerValues} values`
  }
  return undefined
}
