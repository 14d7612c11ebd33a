import type { AgentContent, AgentFile, JsonObject } from '@trestle/protocol'
import type { ReplyContent, ReplyFile } from '../../agent/reply-content.ts'
import { checkOptions, optionRules } from '../../base/check-options.ts'
import { isObject } from '../../base/json.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import { cardSchema } from '../../workflow/cards/card-schema.ts'

/** The longest text of a message, in characters. */
export const maxTextLength = 100_000

const maxFiles = 10
const maxFileBytes = 5 * 1024 * 1024
const cards = compileSchema(cardSchema)
const rules = {
  text: optionRules.text,
  markdown: optionRules.text,
  card: optionRules.object,
  files: { fits: Array.isArray, form: 'an array of files' },
}

/**
 * Returns content as it goes over the wire.
 *
 * @param content - As the agent gave it.
 * @throws TypeError - It has the wrong form, says nothing, or is too large.
 */
export async function toWireContent(content: string | ReplyContent): Promise<AgentContent> {
  const given: unknown = typeof content === 'string' ? { text: content } : content
  checkOptions('A reply', given, rules)
  const { text, markdown, card, files } = given as ReplyContent
  for (const [name, value] of Object.entries({ text, markdown }))
    if (value !== undefined && value.length > maxTextLength)
      throw new TypeError(`A reply: ${name} has ${value.length} characters; the most is ${maxTextLength}.`)
  if (!text && !markdown && !card && !files?.length)
    throw new TypeError('A reply needs a text, markdown, a card or files; this one says nothing.')
  return {
    ...(text !== undefined && { text }),
    ...(markdown !== undefined && { markdown }),
    ...(card && { card: await checkCard(card) }),
    ...(files?.length && { files: toFiles(files) }),
  }
}

async function checkCard(card: unknown): Promise<JsonObject> {
  const { issues } = await cards.check(card)
  if (issues) throw new TypeError(`A reply: the card is wrong at ${issues[0].path || 'its top'}: ${issues[0].message}.`)
  return card as JsonObject
}

function toFiles(files: readonly ReplyFile[]): readonly AgentFile[] {
  if (files.length > maxFiles) throw new TypeError(`A reply has ${files.length} files; the most is ${maxFiles}.`)
  let bytes = 0
  return files.map((file: unknown, index) => {
    const { name, mimeType, url, bytes: content } = isObject(file) ? file : {}
    const isBytes = content instanceof Uint8Array
    if (typeof name !== 'string' || name === '' || isBytes === (typeof url === 'string'))
      throw new TypeError(`A reply: file ${index} must have a name, and either bytes (a Uint8Array) or a url.`)
    const head = { name, ...(typeof mimeType === 'string' && { mimeType }) }
    if (!isBytes) return { ...head, url: String(url) }
    bytes += content.byteLength
    if (bytes > maxFileBytes)
      throw new TypeError(`A reply: its files hold more than ${maxFileBytes} bytes. Send the address of a large file.`)
    return { ...head, data: toBase64(content) }
  })
}

function toBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  // In parts, because a call takes a limited number of arguments.
  for (let start = 0; start < bytes.length; start += 0x2000)
    parts.push(String.fromCharCode(...bytes.subarray(start, start + 0x2000)))
  return btoa(parts.join(''))
}
