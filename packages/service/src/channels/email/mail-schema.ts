export { readMail } from '../base/mail-schema.ts'
