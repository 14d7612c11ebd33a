/**
 * Truncates a text with an ellipsis.
 *
 * @param max - The maximum length.
 */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  const kept = text.slice(0, max - 1)
  // Half a surrogate pair is not a character.
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}
