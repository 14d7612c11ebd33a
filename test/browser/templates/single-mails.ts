import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import mjml from 'mjml'
import { folderOf, require } from './packages.ts'
import type { TemplateMail } from './template-mail.ts'

interface Covalent {
  getEmailTemplates(): readonly { readonly name: string; readonly content: string }[]
}

/** The emails of packages that contain one or two. */
export async function singleMails(): Promise<readonly TemplateMail[]> {
  return [...(await covalentMails()), parseMail(), await authMail()]
}

/** The letters of Teradata's design system, in MJML. The package requires a `window` when it is loaded. */
async function covalentMails(): Promise<readonly TemplateMail[]> {
  const scope: { window?: unknown } = globalThis
  scope.window = globalThis
  const { getEmailTemplates }: Covalent = require('@covalent/email-templates')
  delete scope.window
  return Promise.all(
    getEmailTemplates().map(async ({ name, content }) => ({
      name: `@covalent/email-templates ${name}`,
      html: (await mjml(content)).html,
    })),
  )
}

/** The address confirmation email of a Parse adapter. */
function parseMail(): TemplateMail {
  const values: Readonly<Record<string, string>> = {
    appName: 'Shop',
    btn: 'Confirm',
    link: 'https://shop.test/?a=1&b=2',
  }
  const html = readFileSync(join(folderOf('parse-smtp-template'), 'templates/main.html'), 'utf8')
  return { name: 'parse-smtp-template', html: html.replace(/\$\{(\w+)\}/g, (_text, key) => values[key] ?? 'Ann') }
}

/** The sign-in email of Auth.js. */
async function authMail(): Promise<TemplateMail> {
  const file = join(dirname(require.resolve('@auth/core')), 'lib/utils/email.js')
  const { html } = await import(pathToFileURL(file).href)
  return { name: '@auth/core', html: html({ url: 'https://shop.test/in', host: 'shop.test', theme: {} }) }
}
