import { findPath, isObject } from '@trestle/protocol'
import { toDataText, toText } from '../text/template-value.ts'

/** The `this` of a filter, with the engine's memory counter. */
export interface FilterScope {
  readonly context: { readonly memoryLimit: { use(units: number): void } }
}

export type TemplateFilter = (this: FilterScope, value: unknown, ...options: unknown[]) => string

/** Filters that the engine does not have. */
export const templateFilters: Readonly<Record<string, TemplateFilter>> = {
  /** `{{ events | digest: 2, "payload.name" }}`: "Ann, Ben and 3 others". */
  digest(value, ...options) {
    const [maxNames = 2, keyPath, separator = ', '] = options
    const words = toWords(this, value, keyPath)
    const limit = toCount(maxNames)
    if (words.length <= limit) return join(this, words, toDataText(separator))
    const others = counted(words.length - limit, 'other')
    return limit === 0 ? others : `${join(this, words.slice(0, limit), toDataText(separator))} and ${others}`
  },
  /** `{{ events | toSentence: "payload.name", 2 }}`: "Ann, Ben, and 3 others". */
  toSentence(value, ...options) {
    const [keyPath, limit = 2, overflow = 'other', ...connectors] = options
    const [between = ', ', two = ' and ', last = ', and '] = connectors.map(toDataText)
    const words = toWords(this, value, keyPath)
    const visibleCount = toCount(limit)
    if (visibleCount > 0 && words.length > visibleCount) {
      return `${join(this, words.slice(0, visibleCount), between)}${last}${counted(words.length - visibleCount, toDataText(overflow))}`
    }
    if (words.length < 3) return join(this, words, two)
    return `${join(this, words.slice(0, -1), between)}${last}${words.at(-1)}`
  },
  /** `{{ events | pluralize: "person", "people" }}`: "3 people", "1 person", empty for zero. */
  pluralize(value, ...options) {
    const [singular = '', plural = '', showCount = 'true'] = options
    const count = Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : Number(value)
    if (!(count > 0)) return ''
    const [one, many] = [toDataText(singular), toDataText(plural)]
    const noun = count === 1 ? one : many || `${one}s`
    return toDataText(showCount) === 'false' ? noun : `${count} ${noun}`
  },
}

function toWords(scope: FilterScope, value: unknown, keyPath: unknown): string[] {
  if (!Array.isArray(value)) return []
  scope.context.memoryLimit.use(value.length)
  const path = toDataText(keyPath)
  const keys = path === '' ? [] : path.split('.')
  return value.map((item) => toText(findPath(item, keys))).filter((word) => word !== '')
}

/** Counts the memory of the result, because the separator can come from data and is repeated between all items. */
function join(scope: FilterScope, words: readonly string[], separator: string): string {
  const length = words.reduce((sum, word) => sum + word.length, Math.max(words.length - 1, 0) * separator.length)
  scope.context.memoryLimit.use(length)
  return words.join(separator)
}

function toCount(value: unknown): number {
  const count = typeof value === 'object' ? 0 : Math.floor(Number(value))
  return Math.max(0, Number.isNaN(count) ? 0 : count)
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
