/** Returns whether a text contains template syntax. */
export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%')
}
