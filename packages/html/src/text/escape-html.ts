const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}

/**
 * Escapes text for HTML elements and quoted attributes. Use it for payload values in the body of an email: sanitizing
 * removes code, but not tags.
 *
 * @param text - The text.
 * @example
 * await step.email('mail', () => ({ subject: 'Hello', body: `<p>Dear ${escapeHtml(payload.name)}</p>` }))
 */
export function escapeHtml(text: string): string {
  return escapeWith(entities, text)
}

const escapeWith = (table: Readonly<Record<string, string>>, text: string): string =>
  text.replace(/[&<>"']/g, (character) => table[character] ?? character)

/** The tables of other libraries that escape HTML. */
const otherTables: readonly Readonly<Record<string, string>>[] = [
  { ...entities, '"': '&quot;' },
  { ...entities, '"': '&quot;', "'": '&#x27;' },
  { ...entities, '"': '"', "'": "'" },
]

/**
 * Returns the forms a text can have in HTML: as {@link escapeHtml} and as other libraries escape it. The forms are
 * different from each other, and from the text. Use it to find a text in HTML that others have written.
 *
 * @param text - The text.
 * @returns Between zero and four forms; the one of {@link escapeHtml} first.
 * @example
 * toHtmlForms('"') // ['&#34;', '&quot;']
 */
export function toHtmlForms(text: string): readonly string[] {
  const forms = [entities, ...otherTables].map((table) => escapeWith(table, text))
  return [...new Set(forms)].filter((form) => form !== text)
}
