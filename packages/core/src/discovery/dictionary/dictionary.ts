import { toAliases, withAliases } from './aliases.ts'
import { type Partners, toPartners } from './partners.ts'
import { scanTokens, type Token } from './scan-tokens.ts'
import { isKey, isLookUp, isNegative, isPropertyName, isStepId, toComparedWord } from './token-place.ts'

/** A literal of a function's source text, and where it stands. */
export interface Literal<TValue> {
  readonly value: TValue
  /** The names of the expression it stands in, such as the property it is compared with. */
  readonly names: ReadonlySet<string>
  /** Whether it is compared with something, or looked for in something. */
  readonly isCompared: boolean
  /** Whether it is only held against what is smaller or greater. */
  readonly isOrdered: boolean
}

/** The literals of a workflow function: candidates for the values that it reads. */
export interface Dictionary {
  readonly texts: readonly Literal<string>[]
  readonly numbers: readonly Literal<number>[]
  /** Each of `true`, `false` and `null` that is compared with something for being the same. */
  readonly words: readonly Literal<boolean | null>[]
  /** The types `typeof` is compared with, and `array` where `Array.isArray` is asked. */
  readonly types: ReadonlySet<string>
  /** Every text of the function, ids of steps included. */
  readonly known: ReadonlySet<string>
  /** The names that are compared with each other. */
  readonly partners: Partners
}

const maxLiterals = 100
const maxTextLength = 200
const maxDistance = 10
const ends: ReadonlySet<string> = new Set([';', '{', '}', '&&', '||', '??', '?', '=>'])
const orders: ReadonlySet<string> = new Set(['<', '>', '<=', '>='])
const comparisons: ReadonlySet<string> = new Set(['===', '!==', '==', '!=', ...orders])
const searches: ReadonlySet<string> = new Set([
  ...['case', 'includes', 'startsWith', 'endsWith', 'indexOf', 'has', 'is'],
  ...['localeCompare', 'slice', 'at', 'in', 'test'],
])
const typeNames: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'object'])

/** The place of a literal that stands beside nothing. */
const nowhere: Omit<Literal<unknown>, 'value'> = { names: new Set(), isCompared: false, isOrdered: false }

/** A dictionary without entries. */
export const noDictionary: Dictionary = Object.freeze({
  texts: [],
  numbers: [],
  words: [],
  types: new Set<string>(),
  known: new Set<string>(),
  partners: new Map(),
})

/**
 * Collects the literals of a function's source text. It is read and never evaluated; at most 100 texts and 100 numbers
 * are kept, those that are compared first.
 *
 * @param source - As `Function.prototype.toString` returns it, minified or not.
 */
export function toDictionary(source: string): Dictionary {
  const tokens = scanTokens(source)
  const texts = new Map<string, Literal<string>>()
  const numbers = new Map<number, Literal<number>>()
  const words = new Map<boolean | null, Literal<boolean | null>>()
  const types = new Set<string>()
  const known = new Set<string>()
  const cases = toCaseNames(tokens)
  const aliases = toAliases(tokens)
  const looksUp = tokens.some((_, index) => isLookUp(tokens, index))
  for (const [index, { type, value }] of tokens.entries()) {
    if (type === 'name' && value === 'isArray') types.add('array')
    if (type === 'name' && looksUp && isKey(tokens, index)) add(texts, value, nowhere)
    if (type === 'mark' && value === '[') addLength(numbers, tokens, index)
    const word = toComparedWord(tokens, index)
    if (word !== undefined) add(words, word, toSurroundings(tokens, index))
    if (type !== 'text' && type !== 'number') continue
    if (isPropertyName(tokens, index)) {
      known.add(value)
      continue
    }
    const around = toSurroundings(tokens, index)
    const names = withAliases([...around.names, ...(cases.get(index) ?? [])], aliases)
    const isCase = cases.has(index)
    const place = { names, isCompared: around.isCompared || isCase, isOrdered: around.isOrdered && !isCase }
    // What a handler returns is compared with nothing.
    if (!place.isCompared && isKey(tokens, index - 2)) {
      if (type === 'text') known.add(value)
      continue
    }
    if (type === 'number') add(numbers, isNegative(tokens, index) ? -Number(value) : Number(value), place)
    else {
      known.add(value)
      if (typeNames.has(value) && names.has('typeof')) types.add(value)
      else if (!isStepId(tokens, index) && value.length <= maxTextLength) add(texts, value, place)
    }
  }
  return {
    texts: bound(texts),
    numbers: bound(numbers),
    words: bound(words),
    types,
    known,
    partners: toPartners(tokens, aliases),
  }
}

function add<TValue>(
  literals: Map<TValue, Literal<TValue>>,
  value: TValue,
  { names, isCompared, isOrdered }: Omit<Literal<TValue>, 'value'>,
): void {
  const known = literals.get(value)
  literals.set(value, {
    value,
    names: known ? new Set([...known.names, ...names]) : names,
    isCompared: isCompared || (known?.isCompared ?? false),
    isOrdered: isOrdered && (known?.isOrdered ?? true),
  })
}

function bound<TValue>(literals: Map<TValue, Literal<TValue>>): readonly Literal<TValue>[] {
  const all = [...literals.values()]
  return [...all.filter((one) => one.isCompared), ...all.filter((one) => !one.isCompared)].slice(0, maxLiterals)
}

function toSurroundings(tokens: readonly Token[], index: number): Omit<Literal<unknown>, 'value'> {
  const names = new Set<string>()
  let isCompared = false
  let isOrdered: boolean | undefined
  for (const direction of [-1, 1])
    for (let distance = 1; distance <= maxDistance; distance++) {
      const token = tokens[index + direction * distance]
      if (!token || (token.type === 'mark' && ends.has(token.value))) break
      if (token.type === 'name' || isPropertyName(tokens, index + direction * distance)) names.add(token.value)
      if (token.type === 'mark' ? comparisons.has(token.value) : token.type === 'name' && searches.has(token.value)) {
        isCompared = true
        isOrdered = (isOrdered ?? true) && orders.has(token.value)
      }
    }
  return { names, isCompared, isOrdered: isOrdered ?? false }
}

/** The names of a `switch`, for each literal behind a `case` of it. */
function toCaseNames(tokens: readonly Token[]): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>()
  const open: { readonly names: readonly string[]; readonly depth: number }[] = []
  let depth = 0
  let pending: string[] | undefined
  for (const [index, { type, value }] of tokens.entries()) {
    if (type === 'name' && value === 'switch') pending = []
    else if (type === 'name') pending?.push(value)
    if (type === 'mark' && value === '{') {
      depth++
      if (pending) open.push({ names: pending, depth })
      pending = undefined
    }
    if (type === 'mark' && value === '}') {
      if (open.at(-1)?.depth === depth) open.pop()
      depth--
    }
    const before = tokens[index - 1]
    if ((type === 'text' || type === 'number') && before?.type === 'name' && before.value === 'case')
      found.set(index, open.at(-1)?.names ?? [])
  }
  return found
}

/** How many items a list of the source text has: `ids.length`, or an index into it, may be compared with another list's. */
function addLength(numbers: Map<number, Literal<number>>, tokens: readonly Token[], index: number): void {
  let count = 1
  let depth = 0
  for (let at = index + 1; at < tokens.length && at < index + 200; at++) {
    const { type, value = '' } = tokens[at] ?? { type: 'mark' as const }
    if (type !== 'mark') continue
    if (/^[[({]$/.test(value)) depth++
    else if (/^[\])}]$/.test(value)) {
      if (depth-- > 0) continue
      if (count > 1) add(numbers, tokens[at - 1]?.value === ',' ? count - 1 : count, nowhere)
      return
    } else if (value === ',' && depth === 0) count++
  }
}
