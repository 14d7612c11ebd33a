import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { toEnd } from './brackets.ts'
import { scanTokens, type Token } from './scan-tokens.ts'
import { sourceOf } from './source-of.ts'

/** A value that a function compares something with. */
export type Literal = string | number | boolean | null

/** The compared literals of a function, by the name of the other operand. */
export interface NearLiterals {
  /** Values of a field that may satisfy a condition; for a number, including its neighbors. */
  readonly values: ReadonlyMap<string, readonly Literal[]>
  /** Possible lengths of a list or a text. */
  readonly lengths: ReadonlyMap<string, readonly number[]>
}

export const noLiterals: NearLiterals = Object.freeze({ values: new Map(), lengths: new Map() })

const maxDistance = 16
const maxPerName = 12
const maxLength = 100
const ends = new Set([';', '{', '}', '&&', '||', '?', '??', '=>', 'return', 'const', 'let', 'var', 'if', 'await'])
const signs = new Set(['===', '!==', '==', '!=', '<', '>', '<=', '>='])
const searches = new Set(['includes', 'startsWith', 'endsWith', 'indexOf', 'has', 'at'])
const words: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

const literalsByWorkflow = new WeakMap<RegisteredWorkflow, NearLiterals>()

/**
 * Returns the compared literals of a workflow function, which are read once.
 *
 * @param workflow - The workflow with the function.
 */
export function nearLiteralsOf(workflow: RegisteredWorkflow): NearLiterals {
  const kept = literalsByWorkflow.get(workflow)
  if (kept) return kept
  const read = readLiterals(sourceOf(workflow))
  literalsByWorkflow.set(workflow, read)
  return read
}

/**
 * Collects the literals that a function compares something with. The source is parsed but never evaluated.
 *
 * @param source - The source, as returned by `Function.prototype.toString`.
 */
export function readLiterals(source: string): NearLiterals {
  const { tokens } = scanTokens(source)
  const cases = toCaseNames(tokens)
  const [values, lengths] = [new Map<string, Literal[]>(), new Map<string, number[]>()]
  for (const [index, token] of tokens.entries()) {
    const isNegative = hasMinus(tokens, index)
    const value = isNegative ? -Number(token.value) : toLiteral(token)
    const names =
      value === undefined ? undefined : (cases.get(isNegative ? index - 1 : index) ?? toNames(tokens, index))
    if (value === undefined || !names) continue
    const numbers = typeof value === 'number' ? [value, value + 1, value - 1] : []
    const counts = numbers.filter((one) => Number.isInteger(one) && one >= 0 && one <= maxLength)
    for (const name of names)
      if (numbers.length > 0 && names.has('length')) add(lengths, name, counts)
      else add(values, name, numbers.length > 0 ? numbers : [value])
  }
  return { values, lengths }
}

/** Returns whether the minus before a number belongs to it, rather than to a subtraction. */
function hasMinus(tokens: readonly Token[], index: number): boolean {
  const [before, minus] = [tokens[index - 2], tokens[index - 1]]
  if (tokens[index]?.type !== 'number' || minus?.type !== 'mark' || minus.value !== '-') return false
  if (before?.type === 'mark') return before.value !== ')' && before.value !== ']'
  return before === undefined || (before.type === 'name' && ends.has(before.value)) || before.value === 'case'
}

function toLiteral({ type, value }: Token): Literal | undefined {
  if (type === 'text') return value
  if (type === 'number') return Number(value)
  return type === 'name' ? words.get(value) : undefined
}

function add<TValue>(valuesByName: Map<string, TValue[]>, name: string, values: readonly TValue[]): void {
  const kept = valuesByName.get(name) ?? []
  valuesByName.set(name, kept)
  for (const value of values) if (kept.length < maxPerName && !kept.includes(value)) kept.push(value)
}

/** Returns the names in the expression around a literal; `undefined` if the literal is not compared. */
function toNames(tokens: readonly Token[], index: number): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  let isCompared = false
  for (const direction of [-1, 1])
    for (let at = index + direction; Math.abs(at - index) <= maxDistance; at += direction) {
      const token = tokens[at]
      if (!token || (token.type !== 'text' && ends.has(token.value))) break
      if (token.type === 'name') names.add(token.value)
      if (token.type === 'text' && tokens[at - 1]?.value === '[' && tokens[at + 1]?.value === ']')
        names.add(token.value)
      isCompared ||= (token.type === 'mark' && signs.has(token.value)) || searches.has(token.value)
    }
  return isCompared ? names : undefined
}

/** Returns the names in each `switch`, by the indexes of the literals in its cases. */
function toCaseNames(tokens: readonly Token[]): ReadonlyMap<number, ReadonlySet<string>> {
  const namesByIndex = new Map<number, ReadonlySet<string>>()
  for (const [index, { type, value }] of tokens.entries()) {
    if (type !== 'name' || value !== 'switch' || tokens[index + 1]?.value !== '(') continue
    const open = toEnd(tokens, index + 1) + 1
    const head = tokens.slice(index + 2, open - 1).filter(({ type: kind }) => kind === 'name' || kind === 'text')
    const names = new Set(head.map((token) => token.value))
    // A nested switch comes later, and overrides the outer one for its own cases.
    for (let at = open, end = toEnd(tokens, open); at < end; at++)
      if (tokens[at]?.value === 'case' && tokens[at]?.type === 'name') namesByIndex.set(at + 1, names)
  }
  return namesByIndex
}
