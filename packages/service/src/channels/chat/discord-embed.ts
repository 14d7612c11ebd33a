import type { JsonObject } from '@trestle/protocol'
import { compact, isObject, readText } from '../../json/json.ts'
import { toCardText } from './card-text.ts'

/**
 * Returns a card as an embed of Discord: title, picture and fields where Discord has them, all else as lines.
 *
 * @param card - The card, as the bridge returned it.
 */
export function toDiscordEmbed(card: JsonObject): JsonObject {
  const children = Array.isArray(card['children']) ? card['children'].filter(isObject) : []
  const fields = children
    .filter(({ type }) => type === 'fields')
    .flatMap((part) => (Array.isArray(part['children']) ? part['children'].filter(isObject) : []))
  const rest = children.filter(({ type }) => type !== 'fields')
  const imageUrl = readText(card['imageUrl'])
  return compact({
    title: readText(card['title']),
    description: readText(toCardText({ subtitle: card['subtitle'], children: rest })),
    image: imageUrl && { url: imageUrl },
    fields: fields.length > 0 ? fields.map(({ label, value }) => ({ name: label, value, inline: true })) : undefined,
  })
}
