import type { Root } from './roots.ts'
import { type Spans, toSpans } from './spans.ts'
import { toClosedObjects } from './step-objects.ts'
import { type Aliases, withAliases } from './tokens/aliases.ts'
import type { Token } from './tokens/scan-tokens.ts'
import { hasOneOf, type Literal, orders, toSurroundings } from './tokens/surroundings.ts'
import { isStepId } from './tokens/token-place.ts'

/** What a source text tells of its data beside the values that it names. */
export interface Hints {
  /** The regular expressions that texts are matched with, or split at, without slashes and flags. */
  readonly patterns: readonly Literal<string>[]
  /** The regular expressions that are only replaced. */
  readonly replaced: readonly Literal<string>[]
  /** What texts are split at. */
  readonly separators: readonly Literal<string>[]
  /** The names that are compared with the time it is. */
  readonly clocks: ReadonlySet<string>
  /** How it reckons with time, where anything is compared with the time it is. */
  readonly spans: Spans
  /** The names that stand beside a sign for being smaller or greater. */
  readonly ordered: ReadonlySet<string>
  /** Whether it is asked which fields an object has. */
  readonly asksForFields: boolean
  /** Whether dates are made of data, or read. */
  readonly readsDates: boolean
  /** The ids of step calls that are written as texts, each with the names it is called on; `''` where there is none. */
  readonly stepCalls: ReadonlyMap<string, ReadonlySet<string>>
  /** The parameters that are used for such calls alone. */
  readonly closedObjects: ReadonlySet<string>
}

const maxHints = 20
const maxUses = 10
const matches: readonly string[] = ['test', 'match', 'matchAll', 'search', 'exec', 'split']
const replacers: readonly string[] = ['replace', 'replaceAll']
const fieldMethods: ReadonlySet<string> = new Set(['keys', 'values', 'entries', 'getOwnPropertyNames', 'ownKeys'])
const fieldTests: ReadonlySet<string> = new Set(['in', 'hasOwn', 'hasOwnProperty'])

/**
 * Collects what a source text tells of its data beside the values that it names.
 *
 * @param tokens - The source text.
 * @param aliases - What its variables stand for.
 * @param roots - What it works out.
 */
export function toHints(tokens: readonly Token[], aliases: Aliases, roots: readonly Root[]): Hints {
  const patterns: Literal<string>[] = []
  const replaced: Literal<string>[] = []
  const separators: Literal<string>[] = []
  const clocks = new Set<string>()
  const ordered = new Set<string>()
  const stepCalls = new Map<string, Set<string>>()
  let asksForFields = false
  let readsDates = false
  const usesOf = toPatternUses(tokens)
  for (const [index, { type, value }] of tokens.entries()) {
    if (type === 'pattern' && patterns.length < maxHints) {
      const literal = toPattern(tokens, index, { aliases, uses: usesOf.get(index) ?? [] })
      if (hasOneOf(literal.names, matches)) patterns.push(literal)
      else if (replaced.length < maxHints && hasOneOf(literal.names, replacers)) replaced.push(literal)
    }
    if (type === 'text' && isCallOf(tokens, index, 'split') && separators.length < maxHints)
      separators.push(toLiteral(tokens, index, aliases))
    const called = type === 'text' && isStepId(tokens, index) ? toCalled(tokens, index) : undefined
    if (called !== undefined) stepCalls.set(value, (stepCalls.get(value) ?? new Set()).add(called))
    if (type === 'mark' && orders.has(value)) addNames(ordered, tokens, { index, aliases })
    if (type !== 'name') continue
    asksForFields ||= fieldTests.has(value) || (fieldMethods.has(value) && tokens[index + 1]?.value === '(')
    readsDates ||= value === 'Date'
    if (isClock(tokens, index) || aliases.get(value)?.has('Date')) addNames(clocks, tokens, { index, aliases })
  }
  return {
    patterns,
    replaced,
    separators,
    clocks,
    spans: toSpans(tokens, roots),
    ordered,
    asksForFields,
    readsDates,
    stepCalls,
    closedObjects: toClosedObjects(tokens),
  }
}

function toLiteral(tokens: readonly Token[], index: number, aliases: Aliases): Literal<string> {
  const around = toSurroundings(tokens, index)
  return { ...around, value: tokens[index]?.value ?? '', names: withAliases([...around.names], aliases) }
}

/** A pattern stands beside what its own variable is held against: `const order = /^ORD-/; order.test(payload.id)`. */
function toPattern(
  tokens: readonly Token[],
  index: number,
  { aliases, uses }: { readonly aliases: Aliases; readonly uses: readonly number[] },
): Literal<string> {
  const literal = toLiteral(tokens, index, aliases)
  const names = uses.flatMap((at) => [...toSurroundings(tokens, at).names])
  return { ...literal, names: new Set([...literal.names, ...withAliases(names, aliases)]) }
}

/** Where the variable of each pattern is used first: in one pass from the end, since there may be thousands of patterns. */
function toPatternUses(tokens: readonly Token[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, readonly number[]>()
  if (!tokens.some(({ type }) => type === 'pattern')) return found
  const ahead = new Map<string, readonly number[]>()
  for (let index = tokens.length - 1; index >= 0; index--) {
    const { type, value } = tokens[index] as Token
    if (type === 'name') ahead.set(value, [index, ...(ahead.get(value) ?? [])].slice(0, maxUses))
    const variable = tokens[index - 1]?.value === '=' ? tokens[index - 2] : undefined
    if (type === 'pattern' && variable?.type === 'name') found.set(index, ahead.get(variable.value) ?? [])
  }
  return found
}

function isCallOf(tokens: readonly Token[], index: number, name: string): boolean {
  return tokens[index - 1]?.value === '(' && tokens[index - 2]?.value === name
}

/** The name a step call is called on, as in `step.sms('id', …)`; `undefined` where that is no name, or it is no step. */
function toCalled(tokens: readonly Token[], index: number): string | undefined {
  // A step has a handler. A list has a method `push`, too.
  if (tokens[index + 1]?.value !== ',') return undefined
  const [object, dot] = [tokens[index - 4], tokens[index - 3]]
  if (dot?.value !== '.' && dot?.value !== '?.') return ''
  return object?.type === 'name' ? object.value : undefined
}

/** `Date.now()`, or `new Date()` without arguments. */
function isClock(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.value !== 'Date') return false
  const [first, second] = [tokens[index + 1]?.value, tokens[index + 2]?.value]
  return (first === '.' && second === 'now') || (first === '(' && second === ')')
}

function addNames(
  found: Set<string>,
  tokens: readonly Token[],
  { index, aliases }: { readonly index: number; readonly aliases: Aliases },
): void {
  const { names, isCompared } = toSurroundings(tokens, index)
  const { value = '' } = tokens[index] ?? {}
  if (!isCompared && !orders.has(value)) return
  for (const name of withAliases([value, ...names], aliases)) found.add(name)
}
