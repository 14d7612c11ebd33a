/** The `this` of a filter: the engine's memory counter. */
interface FilterScope {
  readonly context: { readonly memoryLimit: { use(units: number): void } }
}

/** A template filter. */
export type LiquidFilter = (this: FilterScope, value: unknown, ...options: unknown[]) => string

/** Additional filters, the same as in templates of bridge controls. */
export const liquidFilters: Readonly<Record<string, LiquidFilter>> = {
  /** `{{ events | digest: 2, "payload.name" }}`: "Ann, Ben and 3 others". */
  digest(value, ...options) {
    const [maxNames = 2, keyPath, separator = ', '] = options
    const words = toWords(this, value, keyPath)
    const limit = toCount(maxNames)
    const named = join(this, words.slice(0, limit), toLiquidText(separator))
    if (words.length <= limit) return named
    const others = toCounted(words.length - limit, 'other')
    return limit === 0 ? others : `${named} and ${others}`
  },
  /** `{{ events | toSentence: "payload.name", 2 }}`: "Ann, Ben, and 3 others". */
  toSentence(value, ...options) {
    const [keyPath, limit = 2, overflow = 'other', ...connectors] = options
    const [between = ', ', two = ' and ', last = ', and '] = connectors.map(toLiquidText)
    const words = toWords(this, value, keyPath)
    const visibleCount = toCount(limit)
    if (visibleCount > 0 && words.length > visibleCount) {
      const others = toCounted(words.length - visibleCount, toLiquidText(overflow))
      return `${join(this, words.slice(0, visibleCount), between)}${last}${others}`
    }
    return words.length < 3
      ? join(this, words, two)
      : `${join(this, words.slice(0, -1), between)}${last}${words.at(-1)}`
  },
  /** `{{ events | pluralize: "person", "people" }}`: "3 people", "1 person", empty for zero. */
  pluralize(value, ...options) {
    const [singular = '', plural = '', showCount = 'true'] = options
    const count = Array.isArray(value) ? value.length : isRecord(value) ? Object.keys(value).length : Number(value)
    if (!(count > 0)) return ''
    const [one, many] = [toLiquidText(singular), toLiquidText(plural)]
    const noun = count === 1 ? one : many || `${one}s`
    return toLiquidText(showCount) === 'false' ? noun : `${count} ${noun}`
  },
}

/**
 * Returns a value as a template prints it: empty for missing values and the engine's own values (`nil`, `blank`,
 * `empty`), JSON for lists and objects.
 */
export function toLiquidText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString()
  if (typeof value !== 'object') return String(value)
  return isData(value) ? (JSON.stringify(value) ?? '') : ''
}

function isData(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null

function toWords({ context }: FilterScope, value: unknown, keyPath: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  context.memoryLimit.use(value.length)
  const path = toLiquidText(keyPath)
  const keys = path === '' ? [] : path.split('.')
  return value.map((item) => toLiquidText(keys.reduce(readOwn, item))).filter((word) => word !== '')
}

/** The separator may be data, and is inserted between all items. */
function join({ context }: FilterScope, words: readonly string[], separator: string): string {
  const length = words.reduce((sum, word) => sum + word.length, Math.max(words.length - 1, 0) * separator.length)
  context.memoryLimit.use(length)
  return words.join(separator)
}

function readOwn(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
}

function toCount(value: unknown): number {
  const count = typeof value === 'object' ? 0 : Math.floor(Number(value))
  return Number.isNaN(count) ? 0 : Math.max(0, count)
}

const toCounted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
