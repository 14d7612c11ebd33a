export { escapeHtml } from './text/escape-html.ts'
