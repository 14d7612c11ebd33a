/** Control characters, line separators, and characters that change the direction of what follows. */
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * Returns text from outside as one bounded line that a log or a terminal can show: what would break the line, color it
 * or reorder it is written as an escape.
 *
 * @param text - Text of a bridge, a peer or a resolver.
 * @param maxLength - The longest text that is kept, in UTF-16 units.
 */
export function toPlainText(text: string, maxLength = 1000): string {
  const kept = text.length > maxLength ? `${text.slice(0, maxLength)}… (${text.length} characters)` : text
  return kept.replaceAll(unprintable, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
