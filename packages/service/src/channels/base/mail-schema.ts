import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { decodeContent, isTextEncoding, toEncoding } from './mail-content.ts'
import { SendError } from './send-error.ts'

const text = z.union([z.string(), z.number(), z.literal(true)]).transform(String)
/** Accepts `false`, which Nodemailer treats as absent. */
const none = z.literal(false).transform(() => undefined)
const word = z.union([text, none]).nullish()
const flag = z.boolean().nullish()

/** Returns the schema of a list, which can contain absent items. */
const listOf = <T>(item: z.ZodType<T>) => z.array(item.nullish()).transform((all) => all.filter((one) => one != null))
const words = z.union([word, listOf(text)])

const single = z.union([
  text,
  z.object({ name: word, address: word }).transform((one) => (one.address == null ? undefined : one)),
])
const group = z.object({ name: word, group: listOf(single) })
const address = z.union([group, single])
const addresses = z.union([address, none, listOf(z.union([address, listOf(address)]))]).nullish()

/** A buffer in the JSON format of Node.js. */
const bytes = z
  .object({ type: z.literal('Buffer'), data: z.array(z.number()) })
  .transform(({ data }) => Buffer.from(data))
const content = z.union([text, bytes, none]).nullish()

const encoding = word.refine((value) => isTextEncoding(value) || Buffer.isEncoding(toEncoding(value)), {
  message: 'is not an encoding of Node.js',
})
/** The content of a file; Nodemailer also supports files and URLs here, but is configured to reject them. */
const source = { content, path: word, href: word, encoding, raw: content }
/**
 * A prepared value, which Nodemailer sends unchanged. A line that does not start with white space would become a
 * separate header.
 */
const folded = word.refine((value) => !/\r?\n(?![ \t])|\r(?!\n)/.test(value ?? ''), {
  message: 'has a line break without white space after it, which would start another header',
})
const prepared = z
  .object({ prepared: flag, foldLines: flag, value: folded })
  .transform((one) => (one.value == null ? undefined : one))
const header = z.union([text, none, prepared, listOf(z.union([text, prepared]))]).nullish()
const headers = z
  .union([z.record(z.string(), header), z.array(z.object({ key: text, value: header }))])
  .transform((given) => (Array.isArray(given) ? given.filter(({ value }) => value != null) : dropNothing(given)))
  .nullish()
/** A field that `false` disables. */
const orNone = z.union([z.literal(false), text]).nullish()
const named = { filename: orNone, contentType: word, contentDisposition: word }
const part = z
  .object({ ...source, ...named, cid: word, contentTransferEncoding: orNone, headers })
  .transform(decodeContent)
const parts = z.union([listOf(part), part.transform((one) => [one]), none]).nullish()
const body = z.union([text, bytes, none, part]).nullish()

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
  ...{ from: addresses, sender: addresses, to: addresses, cc: addresses, bcc: addresses, replyTo: addresses },
  ...{
    subject: word,
    messageId: word,
    inReplyTo: words,
    references: words,
    date: word,
    priority: word,
    xMailer: orNone,
  },
  ...{ text: body, html: body, watchHtml: body, amp: body, raw: body, attachDataUrls: flag },
  icalEvent: z.union([text, none, z.object({ ...source, ...named, method: word, headers })]).nullish(),
  ...{ alternatives: parts, attachments: parts, headers },
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

function dropNothing<T>(fields: Readonly<Record<string, T | null | undefined>>): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value == null ? [] : [[name, value]])))
}

/**
 * Returns the email fields to pass to a server or an API. Numbers become strings, and encoded content and data URLs
 * become buffers; fields without a value and unknown fields are omitted.
 *
 * @param mail - The email, in Nodemailer's format.
 * @throws {SendError} A field has an invalid type.
 */
export function readMail(mail: JsonObject): JsonObject {
  const { data, error } = mailSchema.safeParse(mail)
  if (data) return data
  const path = error.issues.slice(0, 1).flatMap(toPath).join('.')
  throw new SendError('mail_invalid', `The field "${path}" of the email is invalid. Correct it.`)
}

/** Returns the path of an issue in the variant of the field that is closest to the input. */
function toPath(issue: z.core.$ZodIssue): PropertyKey[] {
  if (issue.code === 'unrecognized_keys') return [...issue.path, ...issue.keys.slice(0, 1)]
  if (issue.code !== 'invalid_union') return [...issue.path]
  const within = issue.errors.map((issues) => issues.slice(0, 1).flatMap(toPath))
  return [...issue.path, ...within.reduce((longest, path) => (path.length >= longest.length ? path : longest), [])]
}
