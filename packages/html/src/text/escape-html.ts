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
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
