/** Returns whether a text has to meet the template engine at all. */
export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%')
}
