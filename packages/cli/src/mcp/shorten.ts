import { isObject } from '@trestle/protocol'
import { CommandError } from '../terminal/command-error.ts'

/** The maximum size of a tool result, in characters of JSON, so that an agent's context is not exhausted. */
export const maxResultLength = 120_000

interface Limits {
  readonly text: number
  readonly items: number
}

/** Limits that are tried in order until the result fits. */
const limits: readonly Limits[] = [
  { text: 40_000, items: 500 },
  { text: 4000, items: 100 },
  { text: 500, items: 20 },
]
const maxDepth = 60
const maxNotes = 20

/**
 * Shortens a tool result to {@link maxResultLength}: truncates long strings and lists, and describes each cut in
 * `shortened`. A result that already fits is not changed.
 *
 * @throws {CommandError} It exceeds the maximum even with the strictest limits.
 */
export function shorten(result: object): object {
  for (const limit of limits) {
    const notes: string[] = []
    const value = cut(result, { limit, path: '', depth: 0, notes })
    const more = notes.length - maxNotes
    const shortened = more > 0 ? [...notes.slice(0, maxNotes), `${more} more places`] : notes
    const fitting = shortened.length === 0 ? value : { ...(value as object), shortened }
    if (JSON.stringify(fitting).length <= maxResultLength) return fitting as object
  }
  throw new CommandError(`The result is larger than ${maxResultLength} characters.`, {
    fix: 'Request less: a smaller limit, or one workflow or run.',
  })
}

interface Cut {
  readonly limit: Limits
  readonly path: string
  readonly depth: number
  readonly notes: string[]
}

function cut(value: unknown, { limit, path, depth, notes }: Cut): unknown {
  const at = path === '' ? '/' : path
  if (typeof value === 'string') {
    if (value.length <= limit.text) return value
    notes.push(`${at}: the first ${limit.text} of ${value.length} characters`)
    return `${value.slice(0, limit.text)}…`
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) {
    notes.push(`${at}: nested more than ${maxDepth} levels deep`)
    return Array.isArray(value) ? [] : {}
  }
  const inner = (name: string | number, item: unknown): unknown =>
    cut(item, { limit, path: `${path}/${name}`, depth: depth + 1, notes })
  if (Array.isArray(value)) {
    if (value.length > limit.items) notes.push(`${at}: the first ${limit.items} of ${value.length} items`)
    return value.slice(0, limit.items).map((item, index) => inner(index, item))
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  if (entries.length > limit.items) notes.push(`${at}: the first ${limit.items} of ${entries.length} properties`)
  return Object.fromEntries(entries.slice(0, limit.items).map(([name, item]) => [name, inner(name, item)]))
}
