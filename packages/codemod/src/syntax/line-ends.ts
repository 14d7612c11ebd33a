/**
 * Edits a text whose lines end with a line feed, and restores the line ends of Windows. A text with both kinds is edited
 * as it is, because its line ends cannot be restored.
 */
export function keepLineEnds<T extends { readonly text: string }>(text: string, edit: (text: string) => T): T {
  if (!text.includes('\r\n') || /(?<!\r)\n/.test(text)) return edit(text)
  const edited = edit(text.replaceAll('\r\n', '\n'))
  return { ...edited, text: edited.text.replaceAll('\n', '\r\n') }
}
