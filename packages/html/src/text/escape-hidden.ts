/**
 * Invisible characters, and characters that change how others are displayed: direction marks, zero-width characters,
 * unusual line breaks.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u115f\u1160\u2800\u3164\uffa0]/gu

/**
 * Escapes invisible characters as `\u202e`, because people must see what they approve.
 *
 * @param keep - Characters that stay unchanged. @default none
 * @example
 * escapeHidden('a\u200bb') // 'a\\u200bb'
 */
export function escapeHidden(text: string, keep = ''): string {
  return text.replaceAll(hidden, (character) =>
    keep.includes(character)
      ? character
      : [...Array(character.length).keys()]
          .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
          .join(''),
  )
}
