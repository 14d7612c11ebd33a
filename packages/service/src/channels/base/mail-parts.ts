import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { decodeContent, isTextEncoding, toEncoding } from './mail-content.ts'
import { SendError } from './send-error.ts'

/** A value that may be absent. */
type Maybe<T> = T | null | undefined
type Shape = Readonly<Record<string, z.ZodType>>

/** A text; numbers become text. */
export const text: z.ZodType<string> = z.union([z.string(), z.number(), z.literal(true)]).transform(String)
/** Accepts `false`, which Nodemailer treats as absent. */
export const none: z.ZodType<undefined> = z.literal(false).transform(() => undefined)
/** A text or nothing. */
export const word: z.ZodType<Maybe<string>> = z.union([text, none]).nullish()
export const flag: z.ZodType<Maybe<boolean>> = z.boolean().nullish()

/** Returns the schema of a list, which can contain absent items. */
export function listOf<T>(item: z.ZodType<T>): z.ZodType<readonly NonNullable<T>[]> {
  return z.array(item.nullish()).transform((all) => all.filter((one) => one != null))
}

const single = z.union([
  text,
  z.object({ name: word, address: word }).transform((one) => (one.address == null ? undefined : one)),
])
const group = z.object({ name: word, group: listOf(single) })
const address = z.union([group, single])
/** Addresses: text, objects, groups, and lists of these. */
export const addresses: z.ZodType = z.union([address, none, listOf(z.union([address, listOf(address)]))]).nullish()

/** A buffer in the JSON format of Node.js. */
const bytes = z
  .object({ type: z.literal('Buffer'), data: z.array(z.number()) })
  .transform(({ data }) => Buffer.from(data))
const content = z.union([text, bytes, none]).nullish()

const encoding = word.refine((value) => isTextEncoding(value) || Buffer.isEncoding(toEncoding(value)), {
  message: 'is not an encoding of Node.js',
})
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
export const orNone: z.ZodType<Maybe<string | false>> = z.union([z.literal(false), text]).nullish()

const fileFields = {
  // Nodemailer also supports files and URLs as content, but is configured to reject them.
  ...{ content, path: word, href: word, encoding, raw: content },
  ...{ filename: orNone, contentType: word, contentDisposition: word, headers },
}
/** The fields of a file. */
export const file: Shape = fileFields
const part = z.object({ ...fileFields, cid: word, contentTransferEncoding: orNone }).transform(decodeContent)
/** Attachments, or other parts of an email. */
export const parts: z.ZodType = z.union([listOf(part), part.transform((one) => [one]), none]).nullish()
/** A body, in one of its formats. */
export const body: z.ZodType = z.union([text, bytes, none, part]).nullish()

/** The fields of an email that every API supports, too. */
export const commonFields: Shape = {
  ...{ from: addresses, to: addresses, cc: addresses, bcc: addresses, replyTo: addresses },
  ...{ subject: word, text: body, html: body, headers, attachments: parts },
}

/** Returns an object without absent fields. */
export function dropNothing<T>(fields: Readonly<Record<string, Maybe<T>>>): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value == null ? [] : [[name, value]])))
}

/**
 * Returns the fields of an email that a schema contains. Numbers become strings, and encoded content and data URLs
 * become buffers; fields without a value are omitted.
 *
 * @param mail - The email, in Nodemailer's format.
 * @throws {SendError} A field has an invalid type.
 */
export function readFields(schema: z.ZodType<JsonObject>, mail: JsonObject): JsonObject {
  const { data, error } = schema.safeParse(mail)
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
