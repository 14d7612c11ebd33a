import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import {
  addresses,
  body,
  commonFields,
  dropNothing,
  file,
  flag,
  listOf,
  none,
  orNone,
  parts,
  readFields,
  text,
  word,
} from '../base/mail-parts.ts'

const words = z.union([word, listOf(text)])

const link = z.union([
  text,
  z.object({ url: word, comment: word }).transform((one) => (one.url == null ? undefined : one)),
])
const links = z.union([link, none, listOf(z.union([link, listOf(link)]))]).nullish()

const dkimKey = { domainName: word, keySelector: word, privateKey: word }
const dkim = z.strictObject({
  ...dkimKey,
  keys: z.array(z.strictObject(dkimKey)).nullish(),
  ...{ headerFieldNames: word, skipFields: word, hashAlgo: word },
  // Content is never read from files.
  cacheTreshold: z
    .unknown()
    .transform(() => undefined)
    .optional(),
})
const dsn = z.object({
  ...{ id: word, envid: word, ret: word, return: word },
  ...{ notify: words, recipient: word, orcpt: word },
})

/**
 * The fields of an email in Nodemailer's format. A field of the wrong type would make Nodemailer throw an uncaught
 * error.
 */
const mailSchema = z.object({
  ...commonFields,
  ...{ sender: addresses, messageId: word, inReplyTo: words, references: words },
  ...{ date: word, priority: word, xMailer: orNone },
  ...{ watchHtml: body, amp: body, raw: body, attachDataUrls: flag, alternatives: parts },
  icalEvent: z.union([text, none, z.object({ ...file, method: word })]).nullish(),
  list: z.record(z.string(), links).transform(dropNothing).nullish(),
  ...{ encoding: word, textEncoding: word, newline: word, requireTLSExtensionEnabled: flag },
  ...{ boundaryPrefix: word, baseBoundary: word, maxRecipients: z.number().nullish() },
  envelope: z
    .union([
      none,
      z.object({
        ...{ from: addresses, to: addresses, cc: addresses, bcc: addresses },
        ...{ use8BitMime: flag, size: z.number().nullish(), dsn: dsn.nullish() },
      }),
    ])
    .nullish(),
  dsn: dsn.nullish(),
  // Omits the fields that would request a token elsewhere.
  auth: z
    .strictObject({ type: word, user: word, pass: word, accessToken: word, expires: z.number().nullish() })
    .nullish(),
  dkim: dkim.nullish(),
})

/**
 * Returns the email fields to pass to the server. Unknown fields are omitted.
 *
 * @param mail - The email, in Nodemailer's format.
 * @throws {SendError} A field has an invalid type.
 */
export function readMail(mail: JsonObject): JsonObject {
  return readFields(mailSchema, mail)
}
