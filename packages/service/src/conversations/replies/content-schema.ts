import { type AgentContent, type AgentFile, type JsonObject, parseUrl } from '@trestle/protocol'
import { z } from 'zod'
import { filledText, jsonObject, text } from '../../api/input.ts'
import { conversationLimits as limits } from '../base/conversation-limits.ts'

// No groups: those that repeat take a frame of the stack each, and five megabytes are more than it holds.
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
      .max(Math.ceil(limits.messageFileBytes / 3) * 4, 'must hold at most 5 MiB')
      .refine((data) => data.length % 4 === 0 && base64.test(data), 'must be Base64')
      .optional(),
    url: filledText(2048).refine(isWebAddress, 'must be an http or https address').optional(),
  })
  .refine(({ data, url }) => (data === undefined) !== (url === undefined), 'must have either data or url')
  .transform(({ data, url, ...head }) => {
    const known = { name: head.name, ...(head.mimeType === undefined ? {} : { mimeType: head.mimeType }) }
    return data === undefined ? { ...known, url: url ?? '' } : { ...known, data }
  })

function isWebAddress(address: string): boolean {
  return /^https?:$/.test(parseUrl(address)?.protocol ?? '')
}

/** A card, as chat steps send them; how its parts are shown is the platform's business. */
const card = jsonObject()
  .refine(
    (value) => value['type'] === 'card' && Array.isArray(value['children']),
    'must have the type "card" and a list of children',
  )
  .refine(
    (value) => JSON.stringify(value).length <= limits.cardLength,
    `must have at most ${limits.cardLength} characters as JSON`,
  )

/** The schemas of the fields of content. */
export interface ContentFields {
  /** Plain text. */
  readonly text: z.ZodType<string | undefined>
  /** Text in Markdown. */
  readonly markdown: z.ZodType<string | undefined>
  /** A card. */
  readonly card: z.ZodType<JsonObject | undefined>
  /** Files. */
  readonly files: z.ZodType<readonly AgentFile[] | undefined>
}

/** The fields of content, to be spread into a schema that checks with {@link saysSomething} and {@link fitsFiles}. */
export const contentFields: ContentFields = {
  text: text(limits.textLength).optional(),
  markdown: text(limits.textLength).optional(),
  card: card.optional(),
  files: z.array(file).max(limits.files, `must hold at most ${limits.files} files`).optional(),
}

/** What is wrong with content that {@link saysSomething} refuses. */
export const saysNothing = 'must have a text, markdown, a card or files'

/** Returns whether content says something. */
export function saysSomething({ text: plain, markdown, card: shown, files }: Partial<Content>): boolean {
  return Boolean(plain || markdown || shown || files?.length)
}

/** What is wrong with content whose files {@link fitsFiles} refuses. */
export const tooManyBytes: string = `files must hold at most ${limits.messageFileBytes} bytes in all`

/** Returns whether the files of content are small enough together. */
export function fitsFiles({ files }: Partial<Content>): boolean {
  return countFileBytes(files) <= limits.messageFileBytes
}

/** The content of a message, as the schema reads it: parts that are not there may be undefined. */
export type Content = { readonly [Part in keyof AgentContent]?: AgentContent[Part] | undefined }

/**
 * Returns how many bytes the data of files holds.
 *
 * @param files - The files.
 */
export function countFileBytes(files: readonly AgentFile[] | undefined): number {
  return (files ?? []).reduce((sum, one) => sum + ('data' in one ? toByteCount(one.data) : 0), 0)
}

/**
 * Returns how many bytes a Base64 text stands for.
 *
 * @param data - The text.
 */
export function toByteCount(data: string): number {
  return (data.length / 4) * 3 - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0)
}
