export type { HtmlPosition } from './base/html-position.ts'
export { type CleanHtml, cleanHtml } from './clean/clean-html.ts'
export { sanitizeHtml } from './clean/sanitize-html.ts'
export type { Removal } from './markup/removals.ts'
