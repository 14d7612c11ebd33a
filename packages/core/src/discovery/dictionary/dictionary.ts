import { type Hints, toHints } from './hints.ts'
import { type Join, toJoins } from './joins.ts'
import { type Partners, toDifferences, toPartners } from './partners.ts'
import { toRoots } from './roots.ts'
import { noSpans } from './spans.ts'
import { type Held, throughTable, toHeld, toLookedUp } from './tables.ts'
import { toAliases, withAliases } from './tokens/aliases.ts'
import { toGrouped, toReadGroups } from './tokens/groups.ts'
import { scanTokens, type Token } from './tokens/scan-tokens.ts'
import { type Literal, toCaseNames, toSurroundings } from './tokens/surroundings.ts'
import { isItemIndex, isKey, isNegative, isPropertyName, isStepId, toComparedWord } from './tokens/token-place.ts'
import { noUses, toUses, type Uses } from './uses.ts'

/** The literals of a workflow function: candidates for the values that it reads. */
export interface Dictionary extends Hints, Uses {
  readonly texts: readonly Literal<string>[]
  readonly numbers: readonly Literal<number>[]
  /** Each of `true`, `false` and `null` that is compared with something for being the same; `false` where `true` is a default. */
  readonly words: readonly Literal<boolean | null>[]
  /** The types `typeof` is compared with, and those that `Array.isArray` and `Number.isInteger` ask for. */
  readonly types: ReadonlySet<string>
  /** Every text of the function, ids of steps included. */
  readonly known: ReadonlySet<string>
  /** The names that are compared with each other. */
  readonly partners: Partners
  /** The names of which one is taken away from another. */
  readonly differences: Partners
  /** The texts that are put together of data. */
  readonly joins: readonly Join[]
}

const maxLiterals = 100
const maxTextLength = 200
/** So many names a literal can stand beside. */
const maxNames = 200
/** The types that methods ask for. */
const askedTypes: ReadonlyMap<string, string> = new Map([
  ['isArray', 'array'],
  ['isInteger', 'number'],
  ['isSafeInteger', 'number'],
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
  differences: new Map(),
  joins: [],
  patterns: [],
  replaced: [],
  separators: [],
  clocks: new Set<string>(),
  spans: noSpans,
  ordered: new Set<string>(),
  asksForFields: false,
  readsDates: false,
  stepCalls: new Map(),
  closedObjects: new Set<string>(),
  ...noUses,
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
  const [types, known] = [new Set<string>(), new Set<string>()]
  const [cases, grouped] = [toCaseNames(tokens), toGrouped(tokens)]
  const aliases = toAliases(tokens, grouped)
  const held = toHeld(tokens, aliases)
  const keys = toLookedUp(tokens, aliases)
  const roots = toRoots(tokens, aliases)
  for (const root of roots.filter(({ isDistance }) => !isDistance)) add(numbers, root.value, root)
  for (const { value, names } of toReadGroups(tokens, aliases, grouped))
    add(texts, value, { names, isCompared: true, isOrdered: false })
  for (const [index, { type, value }] of tokens.entries()) {
    const asked = type === 'name' ? askedTypes.get(value) : undefined
    if (asked) types.add(asked)
    const key = keys.get(index)
    if (key) add(texts, value, key)
    if (type === 'mark' && value === '[') addLength(numbers, tokens, { index, held })
    const word = toComparedWord(tokens, index)
    if (word === undefined && type !== 'text' && type !== 'number') continue
    if (isPropertyName(tokens, index)) {
      known.add(value)
      continue
    }
    const around = toSurroundings(tokens, index)
    const names = withAliases([...around.names, ...(cases.get(index) ?? [])], aliases)
    if (word !== undefined) add(words, word, { ...around, names, isCompared: true })
    if (type !== 'text' && type !== 'number') continue
    const own = cases.has(index) ? { names, isCompared: true, isOrdered: false } : { ...around, names }
    const field = isKey(tokens, index - 2) ? tokens[index - 2]?.value : undefined
    const place = own.isCompared ? own : throughTable(own, field === undefined ? names : [field], held)
    // What a handler returns is compared with nothing.
    if (!place.isCompared && field !== undefined) {
      if (type === 'text') known.add(value)
      continue
    }
    if (type === 'number') {
      const number = isNegative(tokens, index) ? -Number(value) : Number(value)
      add(numbers, number, { ...place, isIndex: isItemIndex(tokens, index) })
    } else {
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
    differences: toDifferences(tokens, aliases),
    joins: toJoins(tokens, aliases),
    ...toHints(tokens, aliases, roots),
    ...toUses(tokens, aliases),
  }
}

function add<TValue>(
  literals: Map<TValue, Literal<TValue>>,
  value: TValue,
  { names, isCompared, isOrdered, isIndex = false, step }: Omit<Literal<TValue>, 'value'>,
): void {
  const known = literals.get(value)
  literals.set(value, {
    value,
    names: !known ? names : known.names.size < maxNames ? new Set([...known.names, ...names]) : known.names,
    isCompared: isCompared || (known?.isCompared ?? false),
    isOrdered: isOrdered && (known?.isOrdered ?? true),
    isIndex: isIndex && (known?.isIndex ?? true),
    step: step ?? known?.step,
  })
}

function bound<TValue>(literals: Map<TValue, Literal<TValue>>): readonly Literal<TValue>[] {
  const all = [...literals.values()]
  return [...all.filter((one) => one.isCompared), ...all.filter((one) => !one.isCompared)].slice(0, maxLiterals)
}

/** How many items a list of the source text has: `ids.length`, or an index into it, may be compared with another list's. */
function addLength(
  numbers: Map<number, Literal<number>>,
  tokens: readonly Token[],
  { index, held }: { readonly index: number; readonly held: Held },
): void {
  let count = 1
  let depth = 0
  for (let at = index + 1; at < tokens.length && at < index + 200; at++) {
    const { type, value = '' } = tokens[at] ?? { type: 'mark' as const }
    if (type !== 'mark') continue
    if (/^[[({]$/.test(value)) depth++
    else if (/^[\])}]$/.test(value)) {
      if (depth-- > 0) continue
      const { names, isCompared } = toSurroundings(tokens, index + 1)
      const place = isCompared ? nowhere : throughTable(nowhere, names, held)
      if (count > 1) add(numbers, tokens[at - 1]?.value === ',' ? count - 1 : count, place)
      return
    } else if (value === ',' && depth === 0) count++
  }
}
