import { isObject, isWebAddress, type JsonObject } from '@trestle/protocol'
import { toText } from '@trestle/templates/text'
import { compact, readText, toObject, toObjects } from '../../json/json.ts'
import { shorten } from '../base/shorten.ts'
import { toRows } from './card-text.ts'
import { toBoldSections, toField, toLinkSections } from './slack-literal.ts'
import { type SlackNames, toDistinct } from './slack-names.ts'
import { maxLabel, plain, toChoice, toGroups, toOptions } from './slack-options.ts'
import { toPlainSections, toSections } from './slack-sections.ts'
import { escapeSlack } from './slack-text.ts'

const maxDepth = 20
const maxUrl = 3000
const maxElements = 25
const maxRadios = 10
const styles: readonly unknown[] = ['primary', 'danger']

/**
 * Returns a card as Slack blocks within Slack's limits. Texts are displayed literally.
 *
 * @param names - Names of the card's parts.
 */
export function toSlackBlocks(card: JsonObject, names: SlackNames): readonly JsonObject[] {
  const title = readText(card['title'])
  const subtitle = readText(card['subtitle'])
  const imageUrl = readText(card['imageUrl'])
  return [
    ...(title ? [{ type: 'header', text: plain(title, 150) }] : []),
    ...toContext(subtitle ?? ''),
    ...(imageUrl ? toImage(imageUrl, title) : []),
    ...toBlocks(card['children'], { names, depth: 0 }),
  ].map((block, place) => (names.block && isUsed(block) ? { ...block, block_id: names.block(place) } : block))
}

interface Within {
  readonly names: SlackNames
  readonly depth: number
}

const isUsed = ({ type, accessory }: JsonObject): boolean => type === 'actions' || accessory !== undefined

function toBlocks(children: unknown, within: Within): readonly JsonObject[] {
  if (!Array.isArray(children) || within.depth > maxDepth) return []
  return children.filter(isObject).flatMap((part) => toBlock(part, within))
}

const deeper = ({ names, depth }: Within): Within => ({ names, depth: depth + 1 })

function toBlock(part: JsonObject, within: Within): readonly JsonObject[] {
  switch (part['type']) {
    case 'text':
      return toTextBlocks(part)
    case 'image':
      return toImage(toText(part['url']), readText(part['alt']))
    case 'divider':
      return [{ type: 'divider' }]
    case 'link':
      return toLinkSections(toText(part['url']), toText(part['label']))
    case 'fields':
      return toFields(part['children'])
    case 'table':
      return toTable(part)
    case 'actions':
      return toActions(part['children'], within)
    default:
      return toBlocks(part['children'], deeper(within))
  }
}

/** Returns a table as code; in its cells, the code delimiter is escaped so that it does not end the code. */
function toTable(part: JsonObject): readonly JsonObject[] {
  const lines = toRows(part).map((row) => escapeSlack(row.join('  ')))
  return toSections(`\`\`\`${lines.join('\n').replaceAll(/^`|`(?=`|$)/g, '\u200b`\u200b')}\`\`\``)
}

function toTextBlocks({ content, style }: JsonObject): readonly JsonObject[] {
  const text = toText(content)
  if (style === 'muted') return toContext(text)
  return style === 'bold' ? toBoldSections(text) : toPlainSections(text)
}

/**
 * Returns an image, or text if it has no web URL, because Slack rejects a message with an image that it cannot fetch.
 */
function toImage(url: string, alt = 'image'): readonly JsonObject[] {
  if (!isWebAddress(url)) return toPlainSections(`${alt} (the image itself was not sent to Slack)`)
  if (url.length > maxUrl) return toLinkSections(url, alt)
  return [{ type: 'image', image_url: url, alt_text: shorten(alt.trim() === '' ? 'image' : alt, 2000) }]
}

function toContext(text: string): readonly JsonObject[] {
  if (text.trim() === '') return []
  return [{ type: 'context', elements: [plain(text, 2000)] }]
}

function toFields(children: unknown): readonly JsonObject[] {
  const fields = toObjects(children).map(({ label, value }) => toField(toText(label), toText(value)))
  return toGroups(fields, 10).map((group) => ({ type: 'section', fields: group }))
}

function toActions(children: unknown, within: Within): readonly JsonObject[] {
  const parts = (Array.isArray(children) ? children : []).filter(isObject).filter(({ disabled }) => disabled !== true)
  const elements = parts
    .filter(isElement)
    .map((part, place) => ({ part, element: toElement(part, place, within.names) }))
  const inRow = elements.filter(({ part, element }) => isNamed(part, element)).map(({ element }) => element)
  const named = elements.filter(({ part, element }) => !isNamed(part, element))
  return [
    ...toGroups(inRow, maxElements).map((group) => ({ type: 'actions', elements: toDistinct(group) })),
    ...named.map(({ part, element }) => ({
      type: 'section',
      text: plain(toText(part['label']), 3000),
      accessory: element,
    })),
    ...parts.filter((part) => !isElement(part)).flatMap((part) => toInstead(part, within)),
  ]
}

/**
 * Returns whether an element displays its own label; radio buttons, and lists with a different placeholder, need a
 * separate label.
 */
function isNamed({ type, label, placeholder }: JsonObject, element: JsonObject): boolean {
  if (type !== 'select' && type !== 'radio_select') return true
  return element['type'] === 'static_select' && (readText(placeholder) ?? label) === label
}

/** Returns whether Slack has an element for a part: it rejects lists without options, and URLs other than web URLs. */
function isElement({ type, url, options }: JsonObject): boolean {
  if (type === 'button') return true
  if (type === 'link-button') return isWebAddress(toText(url)) && toText(url).length <= maxUrl
  return (type === 'select' || type === 'radio_select') && Array.isArray(options) && options.length > 0
}

function toInstead(part: JsonObject, within: Within): readonly JsonObject[] {
  const { type, label, url } = part
  if (type === 'link-button') return toLinkSections(toText(url), toText(label))
  return type === 'select' || type === 'radio_select' ? toPlainSections(toText(label)) : toBlock(part, deeper(within))
}

function toElement(part: JsonObject, place: number, names: SlackNames): JsonObject {
  const text = plain(toText(part['label']), maxLabel)
  const style = styles.includes(part['style']) ? part['style'] : undefined
  if (part['type'] === 'link-button')
    return compact({ type: 'button', text, url: part['url'], action_id: names.link(part, place), style })
  if (part['type'] === 'button')
    return compact({ type: 'button', text, action_id: names.action(part, place), value: names.value?.(part), style })
  const options = toOptions(part['options'], names.option)
  const values = Array.isArray(part['options']) ? part['options'].map((option) => toObject(option)['value']) : []
  const initial = part['initialOption']
  const chosen = initial === undefined ? undefined : options[values.indexOf(initial)]
  const isRadio = part['type'] === 'radio_select' && options.length <= maxRadios
  return compact({
    type: isRadio ? 'radio_buttons' : 'static_select',
    action_id: names.action(part, place),
    placeholder: isRadio ? undefined : plain(readText(part['placeholder']) ?? text.text, 150),
    ...toChoice(options),
    initial_option: chosen,
  })
}
