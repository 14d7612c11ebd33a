import type { HtmlPosition } from '../base/html-position.ts'
import { cleanHtml } from './clean-html.ts'

/**
 * Removes everything that can run code from HTML, and keeps what mail clients need: document, tables, styles, images
 * (including `cid:`), Office conditions, placeholders of mail services. HTML for an app is more restricted: it stays
 * within its parent element, has no ids, forms or positioning, and can only link to `http`, `https`, `mailto`, `tel`
 * and `sms`.
 *
 * @param html - The HTML to sanitize.
 * @param position - Where the HTML is displayed. @default 'email'
 * @example
 * sanitizeHtml('<p onclick="steal()">Hello</p>') // '<p>Hello</p>'
 */
export function sanitizeHtml(html: string, position: HtmlPosition = 'email'): string {
  return cleanHtml(html, position).html
}
