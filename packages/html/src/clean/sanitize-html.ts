import type { HtmlPosition } from '../base/html-position.ts'
import { cleanHtml } from './clean-html.ts'

/**
 * Removes everything that runs code from HTML, and keeps what mail clients need: document, tables, styles, pictures
 * (including `cid:`), conditions of Office, placeholders of mail services. HTML for an app is more restricted: it stays
 * within its parent element, has no ids, forms or positions, and links only to `http`, `https`, `mailto`, `tel`, `sms`.
 *
 * @param html - The HTML.
 * @param position - The place of the HTML. @default 'email'
 * @example
 * sanitizeHtml('<p onclick="steal()">Hello</p>') // '<p>Hello</p>'
 */
export function sanitizeHtml(html: string, position: HtmlPosition = 'email'): string {
  return cleanHtml(html, position).html
}
