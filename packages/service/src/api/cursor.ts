import { parseJson } from '@trestle/protocol'
import { isStorable } from './input.ts'

/** The maximum length of a cursor. */
export const maxCursorLength = 4000
const mark = 'c1.'

/** A position in a list. */
export interface Cursor {
  /** The identifier of the item at this position. */
  readonly id: string
  /** The sort value at this position; if absent, it is read from the item. */
  readonly position?: string | number | undefined
}

/**
 * Serializes a position. It stays valid if the item changes or is removed.
 *
 * @param orderBy - The sort field; empty for the identifier.
 */
export function writeCursor(orderBy: string, { id, position }: Required<Cursor>): string {
  return mark + Buffer.from(JSON.stringify([orderBy, position, id])).toString('base64url')
}

/**
 * Parses a position. Text that {@link writeCursor} did not create is treated as the identifier of an item.
 *
 * @param orderBy - The current sort field. A value for another sort field is ignored.
 */
export function readCursor(text: string, orderBy: string): Cursor {
  const parts = text.startsWith(mark) ? parse(text.slice(mark.length)) : undefined
  if (!Array.isArray(parts)) return { id: text }
  const [field, position, id] = parts as readonly unknown[]
  if (typeof id !== 'string' || !isStorable(id)) return { id: text }
  return field === orderBy && isPosition(orderBy, position) ? { id, position } : { id }
}

/** Returns whether a value is valid for a sort field: fields ending in `At` are times, all others are strings. */
function isPosition(orderBy: string, value: unknown): value is string | number {
  return orderBy.endsWith('At') ? Number.isSafeInteger(value) : typeof value === 'string' && isStorable(value)
}

function parse(text: string): unknown {
  return parseJson(Buffer.from(text, 'base64url').toString('utf8'))
}
