import { escapeHtml } from '@trestle/html/escape'

/**
 * Inserts the preview text of mail clients at the start of a body, invisible in the email itself.
 *
 * @param html - The email, either a complete document or a part of one.
 * @param preheader - The preview text, as plain text; nothing is added if it is empty.
 */
export function addPreheader(html: string, preheader: string | undefined): string {
  if (preheader === undefined || preheader === '') return html
  const style = 'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0'
  const line = `<div style="${style}">${escapeHtml(preheader)}</div>`
  const body = /<body(?=[\s>])/i.exec(html)
  const end = body === null ? -1 : html.indexOf('>', body.index)
  return html.slice(0, end + 1) + line + html.slice(end + 1)
}
