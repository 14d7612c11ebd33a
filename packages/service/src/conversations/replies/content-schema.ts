import { type AgentContent, type AgentFile, isWebAddress, type JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { filledText, jsonObject, text } from '../../api/input.ts'
import { conversationLimits as limits } from '../base/conversation-limits.ts'

// Uses no groups: each repetition of a group takes a stack frame, so five megabytes would overflow the stack.
const base64 = /^[A-Za-z0-9+/]*={0,2}$/

const name = filledText()
const mimeType = z
  .string()
  .max(255, 'must have at most 255 characters')
  .regex(/^[\w.+-]+\/[\w.+-]+(\s*;.*)?$/, 'must be a media type such as image/png')
  .optional()

const file: z.ZodType<AgentFile> = z
  .strictObject({
    name,
    mimeType,
    data: z
      .string()
      .max(Math.ceil(limits.messageFileBytes / 3) * 4, 'must have at most 5 MiB')
      .refine((data) => data.length % 4 === 0 && base64.test(data), 'must be Base64')
      .optional(),
    url: filledText(2048).refine(isWebAddress, 'must be an http or https URL').optional(),
  })
  .refine(({ data, url }) => (data === undefined) !== (url === undefined), 'must have either data or url')
  .transform(({ data, url, ...head }) => {
    const commonFields = { name: head.name, ...(head.mimeType === undefined ? {} : { mimeType: head.mimeType }) }
    return data === undefined ? { ...commonFields, url: url ?? '' } : { ...commonFields, data }
  })

/** A card as chat steps send it; the platform decides how its parts are shown. */
const card = jsonObject()
  .refine(
    (value) => value['type'] === 'card' && Array.isArray(value['children']),
    'must have the type "card" and a list of children',
  )
  .refine(
    (value) => JSON.stringify(value).length <= limits.cardLength,
    `must have at most ${limits.cardLength} characters as JSON`,
  )

/** The schemas of content fields. */
export interface ContentFields {
  readonly text: z.ZodType<string | undefined>
  readonly markdown: z.ZodType<string | undefined>
  readonly card: z.ZodType<JsonObject | undefined>
  readonly files: z.ZodType<readonly AgentFile[] | undefined>
}

/** The fields of content, to spread into a schema that is refined by {@link saysSomething} and {@link fitsFiles}. */
export const contentFields: ContentFields = {
  text: text(limits.textLength).optional(),
  markdown: text(limits.textLength).optional(),
  card: card.optional(),
  files: z.array(file).max(limits.files, `must have at most ${limits.files} files`).optional(),
}

/** The error message of {@link saysSomething}. */
export const saysNothing = 'must have a text, markdown, a card or files'

/** Returns whether content is not empty. */
export function saysSomething({ text: plain, markdown, card: messageCard, files }: Partial<Content>): boolean {
  return Boolean(plain || markdown || messageCard || files?.length)
}

/** The error message of {@link fitsFiles}. */
export const tooManyBytes: string = `files must have at most ${limits.messageFileBytes} bytes in total`

/** Returns whether the total size of files is within the limit. */
export function fitsFiles({ files }: Partial<Content>): boolean {
  return countFileBytes(files) <= limits.messageFileBytes
}

/** The content of a message, as the schema returns it: absent parts may be undefined. */
export type Content = { readonly [Part in keyof AgentContent]?: AgentContent[Part] | undefined }

/** Returns the total size of files, in bytes. */
export function countFileBytes(files: readonly AgentFile[] | undefined): number {
  return (files ?? []).reduce((sum, one) => sum + ('data' in one ? toByteCount(one.data) : 0), 0)
}

/** Returns the decoded size of a Base64 text, in bytes. */
export function toByteCount(data: string): number {
  return (data.length / 4) * 3 - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0)
}
