import { textFilters } from '@trestle/templates/text'
import { notPlain, type PlainFilter } from './plain-template.ts'

/**
 * Returns a filter of a plain template.
 *
 * @param argument - Its argument, if it has one.
 * @returns `undefined` if only the engine supports it.
 */
export function plainFilter(name: string, argument: string | undefined): PlainFilter | undefined {
  if (name === 'default') return argument === undefined ? undefined : (value) => (isEmpty(value) ? argument : value)
  const change = argument === undefined && Object.hasOwn(textFilters, name) ? textFilters[name] : undefined
  return change && ((value) => change(textOf(value)))
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length === 0
  return value === undefined || value === null || value === false
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw notPlain
}
