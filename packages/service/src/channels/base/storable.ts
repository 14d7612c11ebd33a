/**
 * Returns a text that every database stores: NUL and halves of characters become the sign for what cannot be shown.
 *
 * @param text - Any text.
 */
export function toStorable(text: string): string {
  return text.replace(/\p{Surrogate}|\u0000/gu, '\uFFFD')
}
