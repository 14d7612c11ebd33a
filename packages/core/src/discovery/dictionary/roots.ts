import { type Aliases, beginnings, withAliases } from './tokens/aliases.ts'
import type { Token } from './tokens/scan-tokens.ts'
import { type Literal, orders } from './tokens/surroundings.ts'
import { sames } from './tokens/token-place.ts'

/** A sum: what each of its data is multiplied by, and under `''` what is added. */
type Sum = ReadonlyMap<string, number>

/** A number that is worked out, such as `3600` of `payload.seconds / 60 > 60`. */
export interface Root extends Literal<number> {
  /** How far the data must go for what is made of it to change by one. */
  readonly step: number
  /** Whether it is how far two data are apart. */
  readonly isDistance: boolean
}

/** How far a source text was read. */
interface Reading {
  readonly tokens: readonly Token[]
  /** Where the one value of each name is written; -1 for names that have several. */
  readonly values: ReadonlyMap<string, number>
  at: number
  /** How deep names stand for names, and brackets lie in each other. */
  depth: number
  /** How many values may still be read: each name may lead to several others. */
  room: number
}

const maxRoots = 40
const maxDistance = 60
const maxDepth = 8
const maxValues = 5000
const digits = 12
const ends: ReadonlySet<string> = new Set([';', '{', '}', '&&', '||', '??', '?', ':', '=>', ',', '=', '!'])
/** They change no number by more than its fraction. */
const rounding: ReadonlySet<string> = new Set(['round', 'floor', 'ceil', 'trunc', 'Number', 'parseInt', 'parseFloat'])

/**
 * Works out where comparisons turn of which one side is reckoned from data, by what stands in the source text alone:
 * `5000` for `payload.cents / 100 > 50`, `7200000` for `payload.ms > 2 * HOUR`.
 *
 * @param tokens - The source text.
 * @param aliases - What its variables stand for.
 */
export function toRoots(tokens: readonly Token[], aliases: Aliases): readonly Root[] {
  const roots: Root[] = []
  const reading: Reading = { tokens, values: toValues(tokens), at: 0, depth: 0, room: maxValues }
  for (const [index, { type, value }] of tokens.entries()) {
    if (type !== 'mark' || !(orders.has(value) || sames.has(value)) || roots.length >= maxRoots) continue
    const from = startOf(tokens, index)
    reading.at = from
    const left = readSum(reading)
    if (!left || reading.at !== index) continue
    reading.at = index + 1
    const right = readSum(reading)
    // What data is compared with as it is stands there itself.
    const isLiteral = reading.at === index + 2 && tokens[index + 1]?.type === 'number'
    const isPlain = isLiteral && [...left].every(([name, by]) => name !== '' && by === 1)
    const root = right && !isPlain ? toRoot(plus(left, right, -1)) : undefined
    if (!root) continue
    const names = tokens.slice(from, reading.at).flatMap((token) => (token.type === 'name' ? [token.value] : []))
    roots.push({ ...root, names: withAliases(names, aliases), isCompared: true, isOrdered: orders.has(value) })
  }
  return roots
}

/** Where a sum is nothing: of one value, or of two of which one is taken away from the other. */
function toRoot(sum: Sum): Pick<Root, 'value' | 'step' | 'isDistance'> | undefined {
  const [first = 0, ...others] = [...sum].flatMap(([name, by]) => (name === '' || by === 0 ? [] : [by]))
  const value = Number((-(sum.get('') ?? 0) / first).toPrecision(digits))
  const isDistance = others.length > 0
  const isOne = others.length < 2 && others.every((by) => by === -first && value !== 0)
  if (!isOne || !Number.isFinite(value)) return undefined
  return { value, step: Number(Math.abs(1 / first).toPrecision(digits)), isDistance }
}

/** The names that are given a value once. */
function toValues(tokens: readonly Token[]): ReadonlyMap<string, number> {
  const values = new Map<string, number>()
  for (const [index, { type, value }] of tokens.entries()) {
    if (type !== 'mark' || value !== '=') continue
    const [before, second] = [tokens[index - 1], tokens[index - 2]]
    // What something is added to, as in `total += line.price`, has more than one value.
    const name = before?.type === 'mark' ? second : before
    const isOnly = name === before && !isDot(second) && !values.has(name?.value ?? '')
    if (name?.type === 'name') values.set(name.value, isOnly ? index + 1 : -1)
  }
  return values
}

/** Where the left side of a comparison begins. */
function startOf(tokens: readonly Token[], index: number): number {
  let depth = 0
  for (let at = index - 1; at >= 0 && at > index - maxDistance; at--) {
    const { type, value } = tokens[at] as Token
    if (depth === 0 && (type === 'mark' ? ends : beginnings).has(value)) return at + 1
    if (type === 'mark' && /^[)\]]$/.test(value)) depth++
    else if (type === 'mark' && /^[([]$/.test(value) && depth-- === 0) return at + 1
  }
  return 0
}

function readSum(reading: Reading): Sum | undefined {
  let sum = readProduct(reading)
  while (sum && (isNext(reading, '+') || isNext(reading, '-'))) {
    const by = reading.tokens[reading.at++]?.value === '+' ? 1 : -1
    const next = readProduct(reading)
    sum = next && plus(sum, next, by)
  }
  return sum
}

function readProduct(reading: Reading): Sum | undefined {
  let product = readValue(reading)
  while (product && (isNext(reading, '*') || isNext(reading, '/'))) {
    const isDivided = reading.tokens[reading.at++]?.value === '/'
    const next = readValue(reading)
    const [own, by] = [constantOf(product), constantOf(next)]
    if (by !== undefined) product = plus(new Map(), product, isDivided ? 1 / by : by)
    else product = next && own !== undefined && !isDivided ? plus(new Map(), next, own) : undefined
  }
  return product
}

function readValue(reading: Reading): Sum | undefined {
  const { tokens, values, at } = reading
  const { type, value } = tokens[at] ?? { type: 'mark', value: ';' }
  if (--reading.room < 0 || reading.depth > maxDepth || type === 'text' || type === 'pattern') return undefined
  if (type === 'number') return new Map([['', readPower(reading)]])
  if (type === 'mark') {
    if (value === '(') return readWithin(reading, at)
    if (value !== '-' && value !== '+') return undefined
    reading.at++
    const own = readValue(reading)
    return own && plus(new Map(), own, value === '-' ? -1 : 1)
  }
  const called = value === 'Math' ? at + 2 : at
  if (rounding.has(tokens[called]?.value ?? '') && tokens[called + 1]?.value === '(')
    return readWithin(reading, called + 1)
  const end = endOf(tokens, value === 'new' ? at + 1 : at)
  const from = end === at + 1 ? (values.get(value) ?? -1) : -1
  const told = from < 0 ? undefined : readAt(reading, from)
  reading.at = end
  const name = tokens.slice(at, end).map((token) => token.value)
  return told ?? new Map([[name.join(' '), 1]])
}

/** A number, or a power of it, as in `1024 ** 2`. */
function readPower(reading: Reading): number {
  const [own, sign, other, power] = reading.tokens.slice(reading.at, reading.at + 4)
  const isPower = sign?.value === '*' && other?.value === '*' && power?.type === 'number'
  reading.at += isPower ? 4 : 1
  return Number(own?.value) ** (isPower ? Number(power.value) : 1)
}

function readAt(reading: Reading, from: number): Sum | undefined {
  reading.at = from
  reading.depth++
  const sum = readSum(reading)
  reading.depth--
  return sum
}

/** What stands in brackets, without the base of `parseInt(text, 10)`. */
function readWithin(reading: Reading, open: number): Sum | undefined {
  const { tokens } = reading
  const sum = readAt(reading, open + 1)
  if (isNext(reading, ',')) reading.at += 2
  const isWhole = isNext(reading, ')') && !/^(?:\.|\?\.|\[)$/.test(tokens[++reading.at]?.value ?? '')
  return isWhole ? sum : undefined
}

/** Where a name ends, with what is read of it and called. */
function endOf(tokens: readonly Token[], start: number): number {
  let depth = 0
  for (let at = start + 1; at < tokens.length && at < start + maxDistance; at++) {
    const { type, value } = tokens[at] as Token
    if (type === 'mark' && /^[([]$/.test(value)) depth++
    else if (type === 'mark' && /^[)\]]$/.test(value) && depth-- === 0) return at
    else if (depth === 0 && !/^(?:\.|\?\.|\]|\))$/.test(value) && !isDot(tokens[at - 1])) return at
  }
  return tokens.length
}

function isDot(token: Token | undefined): boolean {
  return token?.value === '.' || token?.value === '?.'
}

function isNext({ tokens, at }: Reading, sign: string): boolean {
  return tokens[at]?.type === 'mark' && tokens[at]?.value === sign
}

const constantOf = (sum: Sum | undefined): number | undefined => (sum?.size === 1 ? sum.get('') : undefined)

function plus(left: Sum, right: Sum, by: number): Sum {
  const sum = new Map(left)
  for (const [name, value] of right) sum.set(name, (sum.get(name) ?? 0) + value * by)
  return sum
}
