export { sanitizeHtml } from './content/sanitize-html.ts'
