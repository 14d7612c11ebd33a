import { isObject } from '@trestle/protocol'

const maxDepth = 100
const interactive: readonly unknown[] = ['button', 'select', 'radio_select']

/** Converts a card to lines of plain text, as the service does in the conversation history. */
export function toCardText(card: unknown): string {
  if (!isObject(card)) return ''
  const lines = [card['title'], card['subtitle'], ...toLines(card['children'], 0)]
  return lines.filter((line) => typeof line === 'string' && line !== '').join('\n')
}

function toLines(children: unknown, depth: number): readonly string[] {
  if (!Array.isArray(children) || depth > maxDepth) return []
  return children.filter(isObject).flatMap((part) => toPartLines(part, depth))
}

function toPartLines(part: Readonly<Record<string, unknown>>, depth: number): readonly string[] {
  const { type } = part
  const [label, url] = [toText(part['label']), toText(part['url'])]
  if (type === 'text') return [toText(part['content'])]
  if (type === 'image') return [toText(part['alt']) || url]
  if (type === 'divider') return ['---']
  if (type === 'link' || type === 'link-button') return [`${label}: ${url}`]
  if (interactive.includes(type)) return [`[${label}]`]
  if (type === 'field') return [`${label}: ${toText(part['value'])}`]
  if (type === 'table')
    return [part['headers'], ...(Array.isArray(part['rows']) ? part['rows'] : [])]
      .filter((row) => Array.isArray(row))
      .map((row: readonly unknown[]) => row.map(toText).join(' | '))
  return toLines(part['children'], depth + 1)
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Returns whether a card contains a button or a list.
 *
 * @param card - The card, or a part of it.
 * @param id - The id of the button or list.
 */
export function holdsAction(card: unknown, id: string, depth = 0): boolean {
  if (!isObject(card) || depth > maxDepth) return false
  const { type, id: own, children } = card
  if (interactive.includes(type) && own === id) return true
  return Array.isArray(children) && children.some((part) => holdsAction(part, id, depth + 1))
}
