import type { JsonObject } from '@trestle/protocol'
import { compact, isObject, readText } from '../../json/json.ts'
import { toText } from '../../templates/filter.ts'
import { toRows } from './card-text.ts'

const maxDepth = 100
const styles: ReadonlyMap<string, string> = new Map([
  ['primary', 'primary'],
  ['danger', 'danger'],
])

/**
 * Returns a card as Slack's blocks. What Slack has no block for is shown as text.
 *
 * @param card - The card, as the bridge returned it.
 */
export function toSlackBlocks(card: JsonObject): readonly JsonObject[] {
  const title = readText(card['title'])
  const subtitle = readText(card['subtitle'])
  const imageUrl = readText(card['imageUrl'])
  return [
    ...(title ? [{ type: 'header', text: { type: 'plain_text', text: title } }] : []),
    ...(subtitle ? [context(subtitle)] : []),
    ...(imageUrl ? [{ type: 'image', image_url: imageUrl, alt_text: title ?? 'image' }] : []),
    ...toBlocks(card['children'], 0),
  ]
}

/**
 * Returns a text as a section of Slack's form.
 *
 * @param text - The text, in Slack's markup.
 */
export function toSection(text: string): JsonObject {
  return { type: 'section', text: { type: 'mrkdwn', text } }
}

function toBlocks(children: unknown, depth: number): readonly JsonObject[] {
  if (!Array.isArray(children) || depth > maxDepth) return []
  return children.filter(isObject).flatMap((part) => toBlock(part, depth))
}

function toBlock(part: JsonObject, depth: number): readonly JsonObject[] {
  const content = toText(part['content'])
  switch (part['type']) {
    case 'text':
      if (content === '') return []
      if (part['style'] === 'muted') return [context(content)]
      return [toSection(part['style'] === 'bold' ? `*${content}*` : content)]
    case 'image':
      return [{ type: 'image', image_url: part['url'], alt_text: readText(part['alt']) ?? 'image' }]
    case 'divider':
      return [{ type: 'divider' }]
    case 'link':
      return [toSection(`<${toText(part['url'])}|${toText(part['label'])}>`)]
    case 'fields':
      return toFields(part['children'])
    case 'table':
      return [
        toSection(
          `\`\`\`${toRows(part)
            .map((row) => row.join('  '))
            .join('\n')}\`\`\``,
        ),
      ]
    case 'actions':
      return toActions(part['children'])
    default:
      return toBlocks(part['children'], depth + 1)
  }
}

function context(text: string): JsonObject {
  return { type: 'context', elements: [{ type: 'mrkdwn', text }] }
}

function toFields(children: unknown): readonly JsonObject[] {
  const fields = Array.isArray(children) ? children.filter(isObject) : []
  if (fields.length === 0) return []
  return [
    {
      type: 'section',
      fields: fields.map(({ label, value }) => ({ type: 'mrkdwn', text: `*${toText(label)}*\n${toText(value)}` })),
    },
  ]
}

function toActions(children: unknown): readonly JsonObject[] {
  const elements = Array.isArray(children) ? children.filter(isObject).map(toElement) : []
  return elements.length === 0 ? [] : [{ type: 'actions', elements }]
}

function toElement(part: JsonObject): JsonObject {
  const text = { type: 'plain_text', text: toText(part['label']) }
  const style = styles.get(toText(part['style']))
  if (part['type'] === 'link-button')
    return compact({ type: 'button', text, url: part['url'], action_id: part['id'], style })
  if (part['type'] === 'button')
    return compact({ type: 'button', text, action_id: part['id'], value: part['value'], style })
  const options = Array.isArray(part['options']) ? part['options'].filter(isObject) : []
  return {
    type: part['type'] === 'radio_select' ? 'radio_buttons' : 'static_select',
    action_id: part['id'],
    ...(part['type'] === 'radio_select' ? {} : { placeholder: text }),
    options: options.map(({ label, value }) => ({ text: { type: 'plain_text', text: toText(label) }, value })),
  }
}
