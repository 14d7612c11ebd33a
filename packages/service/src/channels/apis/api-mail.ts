import { isObject, type JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import type { OutgoingRequest } from '../base/delivery.ts'
import { commonFields, readFields } from '../base/mail-parts.ts'
import { SendError } from '../base/send-error.ts'
import { readAddresses } from './mail-fields.ts'
import type { ProviderApi } from './provider-api.ts'

const schema = z.object(commonFields)

/** The fields of an email, and why it cannot be sent. */
export interface ApiMail {
  /** The fields, in Nodemailer's format, with decoded content; none if one is invalid. */
  readonly mail: JsonObject
  readonly refusal?: NonNullable<OutgoingRequest['refusal']>
}

/**
 * Returns the fields of an email, checked and decoded in the same way as those of an email for an SMTP server.
 *
 * @param given - The email, in Nodemailer's format.
 */
export function readApiMail(given: JsonObject, { findUnsupported }: Pick<ProviderApi, 'findUnsupported'>): ApiMail {
  try {
    const mail = readFields(schema, given)
    const invalid = findReference(mail) ?? findSecondSender(mail)
    if (invalid !== undefined) return { mail, refusal: { code: 'mail_invalid', message: invalid, blame: 'message' } }
    const unsupported = findUnsupported?.(mail)
    if (unsupported === undefined) return { mail }
    return { mail, refusal: { code: 'mail_unsupported', message: unsupported, blame: 'integration' } }
  } catch (error) {
    if (!(error instanceof SendError)) throw error
    const { code, message, blame } = error
    return { mail: {}, refusal: { code, message, blame } }
  }
}

/** Returns why an email is rejected that refers to a file or a URL, which could reveal files of the service. */
function findReference({ attachments, text, html }: JsonObject): string | undefined {
  const files = [attachments].flat().map((file, index) => [`attachments.${index}`, file] as const)
  const found = [...files, ['text', text] as const, ['html', html] as const].flatMap(([path, part]) =>
    ['path', 'href', 'raw'].filter((name) => isObject(part) && part[name]).map((name) => `${path}.${name}`),
  )[0]
  return found && `The field "${found}" of the email is not supported. Pass the content itself, as "content".`
}

function findSecondSender({ from }: JsonObject): string | undefined {
  return readAddresses(from).length > 1 ? 'The email has several senders. Set one address as "from".' : undefined
}
