export { sanitizeHtml } from '@trestle/html/clean'
