export { escapeHidden } from './text/escape-hidden.ts'
export { escapeHtml, toHtmlForms } from './text/escape-html.ts'
