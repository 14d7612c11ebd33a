import { isObject, isWebAddress, type JsonObject } from '@trestle/protocol'
import { toText } from '@trestle/templates/text'
import { compact, readText } from '../../json/json.ts'
import { shorten } from '../base/shorten.ts'
import { toCardText } from './card-text.ts'
import { toGroups } from './slack-options.ts'

const maxContent = 2000
const maxTitle = 256
const maxDescription = 4096
const maxName = 256
const maxValue = 1024
const maxFields = 25
const maxEmbeds = 10
const maxUrl = 2048
/** Discord's limit for all embeds of a message combined. */
const maxLength = 6000
const noPicture = '(the image itself was not sent to Discord)'
const cutShort: Field = {
  name: '…',
  value: 'The rest was not sent, because it exceeds the limits of Discord.',
  inline: false,
}

interface Field extends JsonObject {
  readonly name: string
  readonly value: string
  readonly inline: boolean
}

/**
 * Returns a message in Discord's format, within its limits: truncated text ends with an ellipsis.
 *
 * @param text - The text; absent if there is only a card.
 * @param card - The card, as returned by the bridge.
 */
export function toDiscordMessage(text: string | undefined, card: JsonObject | undefined): JsonObject {
  const content = cut(text ?? '', maxContent)
  const embeds = card ? toEmbeds(card) : []
  // Discord rejects empty messages.
  return compact({
    content: content ?? (embeds.length === 0 ? '–' : undefined),
    embeds: embeds.length === 0 ? undefined : embeds,
    // Text from data must not mention anyone: `@everyone` and `@here` are sent as plain text.
    allowed_mentions: { parse: ['users', 'roles'] },
  })
}

/**
 * Uses Discord's title, image and fields, and lines of text for everything else. Fields that exceed the limit of an
 * embed are moved to another embed.
 */
function toEmbeds(card: JsonObject): readonly JsonObject[] {
  const children = Array.isArray(card['children']) ? card['children'].filter(isObject) : []
  const rest = children.filter(({ type }) => type !== 'fields')
  const imageUrl = readText(card['imageUrl'])
  const isShown = imageUrl !== undefined && isWebAddress(imageUrl) && imageUrl.length <= maxUrl
  const lines = toCardText({ subtitle: card['subtitle'], children: rest })
  const title = cut(readText(card['title']) ?? '', maxTitle)
  const description = cut(imageUrl === undefined || isShown ? lines : `${lines}\n${noPicture}`.trim(), maxDescription)
  const room = maxLength - (title?.length ?? 0) - (description?.length ?? 0)
  const [first, ...others] = toGroups(toFitting(toFields(children), room), maxFields)
  const head = compact({ title, description, image: isShown ? { url: imageUrl } : undefined, fields: first })
  return [head, ...others.map((fields) => ({ fields }))].filter((embed) => Object.keys(embed).length > 0)
}

function toFields(children: readonly JsonObject[]): readonly Field[] {
  return children
    .filter(({ type }) => type === 'fields')
    .flatMap((part) => (Array.isArray(part['children']) ? part['children'].filter(isObject) : []))
    .map(({ label, value }) => ({
      name: cut(toText(label), maxName) ?? '–',
      value: cut(toText(value), maxValue) ?? '–',
      inline: true,
    }))
}

/** Returns the fields that fit, with a note if content is missing. */
function toFitting(fields: readonly Field[], room: number): readonly Field[] {
  const most = maxFields * maxEmbeds
  if (fields.length <= most && fields.reduce((sum, field) => sum + toLength(field), 0) <= room) return fields
  let left = room - toLength(cutShort)
  const end = fields.findIndex((field, index) => {
    left -= toLength(field)
    return left < 0 || index === most - 1
  })
  return [...fields.slice(0, end), cutShort]
}

const toLength = ({ name, value }: Field): number => name.length + value.length

/** Truncates a text; returns `undefined` for text that consists of spaces, which Discord treats as empty. */
const cut = (text: string, max: number): string | undefined => (text.trim() === '' ? undefined : shorten(text, max))
