import { textFilters, toText } from '@trestle/templates/text'
import type { FilterCall } from './expression.ts'
import type { RenderBudget } from './render-budget.ts'

type Filter = (value: unknown, argument: string | undefined) => unknown

const filters: Readonly<Record<string, Filter>> = {
  default: (value, argument) => (isEmpty(value) ? (argument ?? '') : value),
  ...Object.fromEntries(
    Object.entries(textFilters).map(([name, change]) => [name, (value: unknown) => change(toText(value))]),
  ),
  strip: (value) => toText(value).trim(),
  append: (value, argument) => toText(value) + (argument ?? ''),
  prepend: (value, argument) => (argument ?? '') + toText(value),
}

export const filterNames: readonly string[] = Object.freeze(Object.keys(filters))

/** Returns whether a filter exists. */
export function isFilter(name: string): boolean {
  return Object.hasOwn(filters, name)
}

/**
 * Applies filters in order. Unknown filters return the value unchanged.
 *
 * @throws {RenderLimitError} The budget is exhausted.
 */
export function applyFilters(value: unknown, calls: readonly FilterCall[], budget: RenderBudget): unknown {
  return calls.reduce((before, { name, argument }) => {
    const after = isFilter(name) ? filters[name]?.(before, argument) : before
    budget.spend(Math.max(lengthOf(before), lengthOf(after)))
    return after
  }, value)
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0)

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === ''
}
