export { toPlainText } from './text/plain-text.ts'
