import { isObject } from '@trestle/protocol'
import { toText } from '@trestle/templates/text'
import { readText } from '../../json/json.ts'

const maxDepth = 100

/**
 * Returns a card as plain lines, for receivers without cards and for notification previews.
 *
 * @param card - The card, as returned by the bridge.
 */
export function toCardText(card: unknown): string {
  if (!isObject(card)) return ''
  const head = [readText(card['title']), readText(card['subtitle'])]
  return [...head, ...toLines(card['children'], 0)].filter((line) => line !== undefined && line !== '').join('\n')
}

function toLines(children: unknown, depth: number): readonly string[] {
  if (!Array.isArray(children) || depth > maxDepth) return []
  return children.filter(isObject).flatMap((part) => toPartLines(part, depth))
}

function toPartLines(part: Readonly<Record<string, unknown>>, depth: number): readonly string[] {
  const { type, label, url } = part
  switch (type) {
    case 'text':
      return [toText(part['content'])]
    case 'image':
      return [readText(part['alt']) ?? toText(url)]
    case 'divider':
      return ['---']
    case 'link':
    case 'link-button':
      return [`${toText(label)}: ${toText(url)}`]
    case 'button':
    case 'select':
    case 'radio_select':
      return [`[${toText(label)}]`]
    case 'field':
      return [`${toText(label)}: ${toText(part['value'])}`]
    case 'table':
      return toRows(part).map((row) => row.join(' | '))
    default:
      return toLines(part['children'], depth + 1)
  }
}

/** Returns the rows of a card's table, with the column names first. */
export function toRows(table: Readonly<Record<string, unknown>>): readonly (readonly string[])[] {
  const rows = [table['headers'], ...(Array.isArray(table['rows']) ? table['rows'] : [])]
  return rows.filter((row) => Array.isArray(row)).map((row: readonly unknown[]) => row.map(toText))
}
