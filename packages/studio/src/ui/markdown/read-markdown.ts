import { lexer, type MarkedToken } from 'marked'

// Parsing text that consists only of markers takes quadratic time.
const maxLength = 30_000

/**
 * Parses Markdown.
 *
 * @param text - The text.
 * @returns Its tokens; undefined for a text that is too long or too deeply nested.
 */
export function readMarkdown(text: string): readonly MarkedToken[] | undefined {
  if (text.length > maxLength) return undefined
  try {
    return lexer(text, { gfm: true, breaks: true }) as MarkedToken[]
  } catch {
    return undefined
  }
}

/** Decodes the entities of a text, such as `&amp;`. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,31});/gi, (entity) => {
    const { body } = new DOMParser().parseFromString(entity, 'text/html')
    return body.textContent ?? entity
  })
}
