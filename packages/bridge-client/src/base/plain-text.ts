/** Control characters, line separators, and characters that change the text direction. */
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * Returns external text as one bounded line for logs and terminals. Characters that would break, color or reorder the
 * line are escaped.
 *
 * @param text - Text of a bridge, a peer or a resolver.
 * @param maxLength - The maximum length, in UTF-16 units.
 */
export function toPlainText(text: string, maxLength = 1000): string {
  const limited = text.length > maxLength ? `${text.slice(0, maxLength)}… (${text.length} characters)` : text
  return limited.replaceAll(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
