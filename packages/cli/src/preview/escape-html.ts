const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Returns a text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => entities[one] ?? one)
}
