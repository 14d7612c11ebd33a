export { escapeHtml, toHtmlForms } from './text/escape-html.ts'
