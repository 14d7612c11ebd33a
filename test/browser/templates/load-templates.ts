import { foundationMails } from './foundation.ts'
import { inkMails } from './ink.ts'
import { mailgenMails } from './mailgen.ts'
import { mjmlMails } from './mjml.ts'
import { reactMails } from './react-email.ts'
import { shopMails } from './shop.ts'
import { singleMails } from './single-mails.ts'
import type { TemplateMail } from './template-mail.ts'

/** Renders the emails of public packages, each with its own template engine. */
export async function loadTemplates(): Promise<readonly TemplateMail[]> {
  const mailLists = await Promise.all([reactMails(), shopMails(), singleMails()])
  return [...foundationMails(), ...mailgenMails(), ...inkMails(), ...mailLists.flat()]
}

/** Renders custom emails with each component of MJML. */
export function loadOwnMails(): Promise<readonly TemplateMail[]> {
  return mjmlMails()
}
