import type { HtmlPosition } from '../base/html-position.ts'
import { cleanHtml } from './clean-html.ts'

/**
 * Takes out of HTML what runs code, and leaves what mail clients need: document, tables, styles, pictures (`cid:`
 * included), conditions of Office, placeholders of mail services. HTML for an app is held to a stricter rule: it stays
 * within the element it is put into, has no ids, forms or positions, and links by `http`, `https`, `mailto`, `tel`, `sms`.
 *
 * @param html - The HTML.
 * @param position - Where it is shown. @default 'email'
 * @example
 * sanitizeHtml('<p onclick="steal()">Hello</p>') // '<p>Hello</p>'
 */
export function sanitizeHtml(html: string, position: HtmlPosition = 'email'): string {
  return cleanHtml(html, position).html
}
