import { isStorable } from './input.ts'

/** Most characters of a cursor. */
export const maxCursorLength = 4000
const mark = 'c1.'

/** A place in a list. */
export interface Cursor {
  /** Identifies the item that was there. */
  readonly id: string
  /** The value the list was sorted by there; absent where the item itself has to be asked for it. */
  readonly position?: string | number | undefined
}

/**
 * Returns a place in a list as a text. It leads to the same place when the item has been removed or has changed.
 *
 * @param orderBy - The field the list is sorted by; empty for the identifier.
 * @param cursor - The place.
 */
export function writeCursor(orderBy: string, { id, position }: Required<Cursor>): string {
  return mark + Buffer.from(JSON.stringify([orderBy, position, id])).toString('base64url')
}

/**
 * Returns the place a text stands for; every text that is not one of {@link writeCursor} is the identifier of an item.
 *
 * @param text - The text.
 * @param orderBy - The field the list is sorted by now. A value of another field is no position.
 */
export function readCursor(text: string, orderBy: string): Cursor {
  const parts = text.startsWith(mark) ? parse(text.slice(mark.length)) : undefined
  if (!Array.isArray(parts)) return { id: text }
  const [field, position, id] = parts as readonly unknown[]
  if (typeof id !== 'string' || !isStorable(id)) return { id: text }
  return field === orderBy && isPosition(orderBy, position) ? { id, position } : { id }
}

/** Fields of times end in `At`; all others are texts. */
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
