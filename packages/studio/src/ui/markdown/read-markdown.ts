import { lexer, type MarkedToken } from 'marked'

// The time it takes to read a text of nothing but marks grows with the square of its length.
const maxLength = 30_000

/**
 * Reads Markdown.
 *
 * @param text - The text.
 * @returns Its pieces; undefined for a text that is too long, or nested too deep, to be more than a text.
 */
export function readMarkdown(text: string): readonly MarkedToken[] | undefined {
  if (text.length > maxLength) return undefined
  try {
    return lexer(text, { gfm: true, breaks: true }) as MarkedToken[]
  } catch {
    return undefined
  }
}

/**
 * Returns a text with its entities, such as `&amp;`, as the characters they stand for.
 *
 * @param text - A piece of Markdown.
 */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,31});/gi, (entity) => {
    const { body } = new DOMParser().parseFromString(entity, 'text/html')
    return body.textContent ?? entity
  })
}
