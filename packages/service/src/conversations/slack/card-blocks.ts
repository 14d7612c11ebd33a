import type { JsonObject } from '@trestle/protocol'
import { toRows } from '../../channels/chat/card-text.ts'
import { compact, isObject, readText, toObject } from '../../json/json.ts'
import type { ConversationMessageRow } from '../../store/schema/agent.ts'
import { toText } from '../../templates/filter.ts'
import { toActionId, toBlockId } from './card-parts.ts'
import { shortenMrkdwn, toPlainSections, toSections } from './slack-sections.ts'
import { escapeSlack, isWebAddress, shorten, toBold, toSlackLink } from './slack-text.ts'

/** Begins the ids of what needs no answer: buttons that open a page. */
export const linkPrefix = 'trestle.link.'

const maxDepth = 20
const maxLabel = 75
const maxUrl = 3000
const maxElements = 25
const maxRadios = 10
const maxOptions = 100
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
    ...toContext(subtitle ?? ''),
    ...(imageUrl ? toImage(imageUrl, title) : []),
    ...toBlocks(card['children'], 0),
  ].map((block, place) => (isUsed(block) ? { ...block, block_id: toBlockId(message, place) } : block))
}

const isUsed = ({ type, accessory }: JsonObject): boolean => type === 'actions' || accessory !== undefined

function toBlocks(children: unknown, depth: number): readonly JsonObject[] {
  if (!Array.isArray(children) || depth > maxDepth) return []
  return children.filter(isObject).flatMap((part) => toBlock(part, depth))
}

function toBlock(part: JsonObject, depth: number): readonly JsonObject[] {
  switch (part['type']) {
    case 'text':
      return toTextBlocks(part)
    case 'image':
      return toImage(toText(part['url']), readText(part['alt']))
    case 'divider':
      return [{ type: 'divider' }]
    case 'link':
      return toSections(toSlackLink(toText(part['url']), toText(part['label'])))
    case 'fields':
      return toFields(part['children'])
    case 'table':
      return toTable(part)
    case 'actions':
      return toActions(part['children'], depth)
    default:
      return toBlocks(part['children'], depth + 1)
  }
}

/** The sign that ends code does not end it within a cell, or together with the last one. */
function toTable(part: JsonObject): readonly JsonObject[] {
  const lines = toRows(part).map((row) => escapeSlack(row.join('  ')))
  return toSections(`\`\`\`${lines.join('\n').replaceAll(/^`|`(?=`|$)/g, '\u200b`\u200b')}\`\`\``)
}

function toTextBlocks({ content, style }: JsonObject): readonly JsonObject[] {
  const text = toText(content)
  if (style === 'muted') return toContext(text)
  return style === 'bold' ? toSections(toBold(text)) : toPlainSections(text)
}

/** Slack refuses a message with a picture that it cannot fetch. */
function toImage(url: string, alt = 'image'): readonly JsonObject[] {
  if (!isWebAddress(url)) return toSections(`${escapeSlack(alt)} (_the picture itself was not sent to Slack_)`)
  if (url.length > maxUrl) return toSections(toSlackLink(url, alt))
  return [{ type: 'image', image_url: url, alt_text: shorten(alt.trim() === '' ? 'image' : alt, 2000) }]
}

function toContext(text: string): readonly JsonObject[] {
  if (text.trim() === '') return []
  return [{ type: 'context', elements: [{ type: 'mrkdwn', text: shortenMrkdwn(escapeSlack(text), 2000) }] }]
}

function toFields(children: unknown): readonly JsonObject[] {
  const fields = (Array.isArray(children) ? children.filter(isObject) : []).map(({ label, value }) => {
    const text = `${toBold(toText(label))}\n${escapeSlack(toText(value))}`
    return { type: 'mrkdwn', text: text.trim() === '' ? '–' : shortenMrkdwn(text, 2000) }
  })
  return toGroups(fields, 10).map((group) => ({ type: 'section', fields: group }))
}

function toActions(children: unknown, depth: number): readonly JsonObject[] {
  const parts = (Array.isArray(children) ? children : []).filter(isObject).filter(({ disabled }) => disabled !== true)
  const elements = parts.filter(isElement).map((part, place) => ({ part, element: toElement(part, place) }))
  const inRow = elements.filter(({ part, element }) => isNamed(part, element)).map(({ element }) => element)
  const named = elements.filter(({ part, element }) => !isNamed(part, element))
  return [
    ...toGroups(inRow, maxElements).map((group) => ({ type: 'actions', elements: group })),
    ...named.map(({ part, element }) => ({
      type: 'section',
      text: plain(toText(part['label']), 3000),
      accessory: element,
    })),
    ...parts.filter((part) => !isElement(part)).flatMap((part) => toInstead(part, depth)),
  ]
}

/** Whether an element says its label by itself; radio buttons, and lists that say something else, have it beside them. */
function isNamed({ type, label, placeholder }: JsonObject, element: JsonObject): boolean {
  if (type !== 'select' && type !== 'radio_select') return true
  return element['type'] === 'static_select' && (readText(placeholder) ?? label) === label
}

/** Whether Slack has an element for a part: it takes no list without options, and no address but one of the web. */
function isElement({ type, url, options }: JsonObject): boolean {
  if (type === 'button') return true
  if (type === 'link-button') return isWebAddress(toText(url)) && toText(url).length <= maxUrl
  return (type === 'select' || type === 'radio_select') && Array.isArray(options) && options.length > 0
}

function toInstead(part: JsonObject, depth: number): readonly JsonObject[] {
  const { type, label, url } = part
  if (type === 'link-button') return toSections(toSlackLink(toText(url), toText(label)))
  return type === 'select' || type === 'radio_select' ? toPlainSections(toText(label)) : toBlock(part, depth + 1)
}

function toElement(part: JsonObject, place: number): JsonObject {
  const text = plain(toText(part['label']), maxLabel)
  const style = styles.includes(part['style']) ? part['style'] : undefined
  if (part['type'] === 'link-button')
    return compact({ type: 'button', text, url: part['url'], action_id: `${linkPrefix}${place}`, style })
  if (part['type'] === 'button') return compact({ type: 'button', text, action_id: toActionId(part, place), style })
  const options = toOptions(part['options'])
  const values = Array.isArray(part['options']) ? part['options'].map((option) => toObject(option)['value']) : []
  const initial = part['initialOption']
  const chosen = initial === undefined ? undefined : options[values.indexOf(initial)]
  const isRadio = part['type'] === 'radio_select' && options.length <= maxRadios
  return compact({
    type: isRadio ? 'radio_buttons' : 'static_select',
    action_id: toActionId(part, place),
    placeholder: isRadio ? undefined : plain(readText(part['placeholder']) ?? text.text, 150),
    ...toChoice(options),
    initial_option: chosen,
  })
}

/** More options than Slack takes in a list go into groups, which may be as many. */
function toChoice(options: readonly JsonObject[]): JsonObject {
  if (options.length <= maxOptions) return { options }
  const toGroup = (group: readonly JsonObject[], index: number): JsonObject => {
    const first = index * maxOptions
    return { label: plain(`${first + 1} – ${first + group.length}`, maxLabel), options: group }
  }
  return { option_groups: toGroups(options, maxOptions).map(toGroup) }
}

function toGroups<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}

/**
 * Returns options as Slack has them; each carries its place instead of its value.
 *
 * @param options - The options, each with a label, and some with a description.
 */
export function toOptions(options: unknown): readonly JsonObject[] {
  return (Array.isArray(options) ? options.map(toObject) : []).map(({ label, description }, index) => {
    const more = toText(description).trim() === '' ? undefined : plain(toText(description), maxLabel)
    return compact({ text: plain(toText(label), maxLabel), value: String(index), description: more })
  })
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
