import type { JsonObject } from '@trestle/protocol'
import { toRows } from '../../channels/chat/card-text.ts'
import { compact, isObject, readText, toObject } from '../../json/json.ts'
import type { ConversationMessageRow } from '../../store/schema/agent.ts'
import { toText } from '../../templates/filter.ts'
import { toActionId, toBlockId } from './card-parts.ts'
import { escapeSlack, shorten, toSlackLink } from './slack-text.ts'

/** Begins the ids of what needs no answer: buttons that open a page. */
export const linkPrefix = 'trestle.link.'

const maxDepth = 20
const maxButtonText = 75
const maxSection = 3000
const styles: readonly unknown[] = ['primary', 'danger']

/**
 * Returns the card of a message as Slack's blocks. Texts are shown as they are written. The options of lists carry their
 * places, since their values may be longer than Slack takes.
 *
 * @param card - The card.
 * @param message - The message.
 */
export function toCardBlocks(card: JsonObject, message: ConversationMessageRow): readonly JsonObject[] {
  const title = readText(card['title'])
  const subtitle = readText(card['subtitle'])
  const imageUrl = readText(card['imageUrl'])
  return [
    ...(title ? [{ type: 'header', text: plain(title, 150) }] : []),
    ...(subtitle ? [context(escapeSlack(subtitle))] : []),
    ...(imageUrl ? [toImage(imageUrl, title)] : []),
    ...toBlocks(card['children'], 0),
  ].map((block, place) => (block['type'] === 'actions' ? { ...block, block_id: toBlockId(message, place) } : block))
}

/**
 * Returns a text in Slack's markup as sections, none longer than Slack takes.
 *
 * @param mrkdwn - The text.
 */
export function toSections(mrkdwn: string): readonly JsonObject[] {
  return toParts(mrkdwn).map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } }))
}

/**
 * Returns a text as sections that show it as it is written.
 *
 * @param text - The text.
 */
export function toPlainSections(text: string): readonly JsonObject[] {
  return toParts(text).map((part) => ({ type: 'section', text: { type: 'plain_text', text: part } }))
}

function toParts(text: string): readonly string[] {
  const parts: string[] = []
  for (let rest = text; rest !== ''; ) {
    const end = rest.length <= maxSection ? rest.length : findBreak(rest)
    parts.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return parts.filter((part) => part.trim() !== '')
}

/** Prefers the end of a line, then that of a word; never within a surrogate pair or an escaped sign. */
function findBreak(text: string): number {
  const part = text.slice(0, maxSection)
  const space = Math.max(part.lastIndexOf('\n'), part.lastIndexOf(' '))
  if (space > maxSection / 2) return space + 1
  const sign = /&\w{0,4}$|[\ud800-\udbff]$/.exec(part)
  return sign ? sign.index : maxSection
}

function toBlocks(children: unknown, depth: number): readonly JsonObject[] {
  if (!Array.isArray(children) || depth > maxDepth) return []
  return children.filter(isObject).flatMap((part) => toBlock(part, depth))
}

function toBlock(part: JsonObject, depth: number): readonly JsonObject[] {
  switch (part['type']) {
    case 'text':
      return toTextBlocks(part)
    case 'image':
      return [toImage(toText(part['url']), readText(part['alt']))]
    case 'divider':
      return [{ type: 'divider' }]
    case 'link':
      return toSections(toSlackLink(toText(part['url']), toText(part['label'])))
    case 'fields':
      return toFields(part['children'])
    case 'table':
      return toSections(
        `\`\`\`${toRows(part)
          .map((row) => escapeSlack(row.join('  ')))
          .join('\n')}\`\`\``,
      )
    case 'actions':
      return toActions(part['children'])
    default:
      return toBlocks(part['children'], depth + 1)
  }
}

function toTextBlocks({ content, style }: JsonObject): readonly JsonObject[] {
  const text = toText(content)
  if (text.trim() === '') return []
  if (style === 'muted') return [context(escapeSlack(text))]
  return style === 'bold' ? toSections(`*${escapeSlack(text)}*`) : toPlainSections(text)
}

function toImage(url: string, alt: string | undefined): JsonObject {
  return { type: 'image', image_url: url, alt_text: shorten(alt ?? 'image', 2000) }
}

function context(mrkdwn: string): JsonObject {
  return { type: 'context', elements: [{ type: 'mrkdwn', text: shorten(mrkdwn, 2000) }] }
}

function toFields(children: unknown): readonly JsonObject[] {
  const fields = (Array.isArray(children) ? children.filter(isObject) : []).map(({ label, value }) => {
    const text = `*${escapeSlack(toText(label))}*\n${escapeSlack(toText(value))}`
    return { type: 'mrkdwn', text: shorten(text, 2000) }
  })
  const blocks: JsonObject[] = []
  for (let start = 0; start < fields.length; start += 10)
    blocks.push({ type: 'section', fields: fields.slice(start, start + 10) })
  return blocks
}

function toActions(children: unknown): readonly JsonObject[] {
  const parts = Array.isArray(children) ? children.filter(isObject) : []
  const elements = parts.filter(({ disabled }) => disabled !== true).map(toElement)
  const blocks: JsonObject[] = []
  for (let start = 0; start < elements.length; start += 25)
    blocks.push({ type: 'actions', elements: elements.slice(start, start + 25) })
  return blocks
}

function toElement(part: JsonObject, place: number): JsonObject {
  const text = plain(toText(part['label']), maxButtonText)
  const style = styles.includes(part['style']) ? part['style'] : undefined
  if (part['type'] === 'link-button')
    return compact({ type: 'button', text, url: part['url'], action_id: `${linkPrefix}${place}`, style })
  if (part['type'] === 'button') return compact({ type: 'button', text, action_id: toActionId(part, place), style })
  const options = toOptions(part['options'])
  const chosen = Array.isArray(part['options'])
    ? part['options'].findIndex((option) => isObject(option) && option['value'] === part['initialOption'])
    : -1
  return compact({
    type: part['type'] === 'radio_select' ? 'radio_buttons' : 'static_select',
    action_id: toActionId(part, place),
    placeholder: part['type'] === 'radio_select' ? undefined : plain(readText(part['placeholder']) ?? text.text, 150),
    options,
    initial_option: options[chosen],
  })
}

/**
 * Returns options as Slack has them; each carries its place instead of its value.
 *
 * @param options - The options, each with a label.
 */
export function toOptions(options: unknown): readonly JsonObject[] {
  const all = Array.isArray(options) ? options.map((option) => toText(toObject(option)['label'])) : []
  return all.map((label, index) => ({ text: plain(label, 75), value: String(index) }))
}

/** A text without markup, as Slack's blocks have it. */
export interface PlainText extends JsonObject {
  /** Its kind. */
  readonly type: 'plain_text'
  /** What it says. */
  readonly text: string
}

/**
 * Returns a text without markup; Slack takes none that is empty.
 *
 * @param text - The text.
 * @param max - The most characters.
 */
export function plain(text: string, max: number): PlainText {
  return { type: 'plain_text', text: shorten(text.trim() === '' ? '–' : text, max) }
}
