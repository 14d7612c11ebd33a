import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf } from './packages.ts'
import type { TemplateMail } from './template-mail.ts'

/** Pages of Foundation for Emails, with their linked styles in the head, as its inliner leaves them. */
export function foundationMails(): readonly TemplateMail[] {
  const root = folderOf('foundation-emails')
  const css = readFileSync(join(root, 'dist/foundation-emails.css'), 'utf8')
  const folder = join(root, '.download/templates')
  return readdirSync(folder).map((file) => {
    const html = readFileSync(join(folder, file), 'utf8').replace(
      /<link rel="stylesheet"[^>]*>/,
      `<style>${css}</style>`,
    )
    return { name: `foundation-emails ${file}`, html }
  })
}
