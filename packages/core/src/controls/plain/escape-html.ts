const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}

/**
 * Writes a text so that HTML shows it as it is, in an element or in a quoted attribute. For payload values in the body
 * of an email: sanitizing keeps code out of it, not tags.
 *
 * @param text - Any text.
 * @example
 * await step.email('mail', () => ({ subject: 'Hello', body: `<p>Dear ${escapeHtml(payload.name)}</p>` }))
 */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
