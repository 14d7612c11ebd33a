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
 * Returns a position as text. It stays valid after the item changes or is removed.
 *
 * @param orderBy - The sort field; empty for the identifier.
 */
export function writeCursor(orderBy: string, { id, position }: Required<Cursor>): string {
  return mark + Buffer.from(JSON.stringify([orderBy, position, id])).toString('base64url')
}

/**
 * Parses a position. Any text that {@link writeCursor} did not create is the identifier of an item.
 *
 * @param orderBy - The current sort field. A value of another field is ignored.
 */
export function readCursor(text: string, orderBy: string): Cursor {
  const parts = text.startsWith(mark) ? parse(text.slice(mark.length)) : undefined
  if (!Array.isArray(parts)) return { id: text }
  const [field, position, id] = parts as readonly unknown[]
  if (typeof id !== 'string' || !isStorable(id)) return { id: text }
  return field === orderBy && isPosition(orderBy, position) ? { id, position } : { id }
}

/** Time fields end in `At`; all others are strings. */
function isPosition(orderBy: string, value: unknown): value is string | number {
  return orderBy.endsWith('At') ? Number.isSafeInteger(value) : typeof value === 'string' && isStorable(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
