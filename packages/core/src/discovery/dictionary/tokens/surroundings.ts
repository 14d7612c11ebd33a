import { beginnings } from './aliases.ts'
import type { Token } from './scan-tokens.ts'
import { isPropertyName, roomOf, sames } from './token-place.ts'

/** A literal of a function's source text, and where it stands. */
export interface Literal<TValue> {
  readonly value: TValue
  /** The names of the expression it stands in, such as the property it is compared with. */
  readonly names: ReadonlySet<string>
  /** Whether it is compared with something, or looked for in something. */
  readonly isCompared: boolean
  /** Whether it is only held against what is smaller or greater. */
  readonly isOrdered: boolean
  /** Whether it only says which item of a list is meant. @default false */
  readonly isIndex?: boolean
  /** How far beside it what is compared differs. @default 1 */
  readonly step?: number | undefined
}

/**
 * Returns the literals that are compared with a name.
 *
 * @param literals - Those of the source text.
 * @param name - The name.
 */
export function comparedWith<TValue>(literals: readonly Literal<TValue>[], name: string): readonly Literal<TValue>[] {
  return literals.filter(({ names, isCompared }) => isCompared && names.has(name))
}

/**
 * Returns whether one of some names stands beside a literal.
 *
 * @param names - The names beside it.
 * @param some - Those that are looked for.
 */
export function hasOneOf(names: ReadonlySet<string>, some: readonly string[]): boolean {
  return some.some((one) => names.has(one))
}

/** Room for `payload.version.split('.').map(Number)[1] >= 10`. */
const maxRoom = 16
const maxDistance = 48
const ends: ReadonlySet<string> = new Set([';', '{', '}', '&&', '||', '?', '=>'])
/** The signs for being smaller or greater. */
export const orders: ReadonlySet<string> = new Set(['<', '>', '<=', '>='])
const comparisons: ReadonlySet<string> = new Set([...sames, ...orders])
const searches: ReadonlySet<string> = new Set([
  ...['case', 'includes', 'startsWith', 'endsWith', 'indexOf', 'has', 'is'],
  ...['localeCompare', 'slice', 'at', 'in', 'test'],
])

/**
 * Returns what stands around a token, as far as its expression goes.
 *
 * @param tokens - The source text.
 * @param index - Which token.
 */
export function toSurroundings(tokens: readonly Token[], index: number): Omit<Literal<unknown>, 'value'> {
  const names = new Set<string>()
  let isCompared = false
  let isOrdered: boolean | undefined
  for (const direction of [-1, 1])
    for (let distance = 1, room = maxRoom; distance <= maxDistance && room > 0; distance++) {
      const at = index + direction * distance
      const token = tokens[at]
      if (!token || (token.type === 'mark' ? ends : beginnings).has(token.value)) break
      room -= roomOf(tokens, at)
      if (token.type === 'name' || isPropertyName(tokens, at)) names.add(token.value)
      if (token.type === 'mark' ? comparisons.has(token.value) : token.type === 'name' && searches.has(token.value)) {
        isCompared = true
        isOrdered = (isOrdered ?? true) && orders.has(token.value)
      }
    }
  return { names, isCompared, isOrdered: isOrdered ?? false }
}

/**
 * Returns the names of a `switch`, for what stands behind each `case` of it.
 *
 * @param tokens - The source text.
 */
export function toCaseNames(tokens: readonly Token[]): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>()
  const open: { readonly names: readonly string[]; readonly depth: number }[] = []
  let depth = 0
  let pending: string[] | undefined
  for (const [index, { type, value }] of tokens.entries()) {
    if (type === 'name' && value === 'switch') pending = []
    else if (type === 'name' && pending && pending.length < maxRoom) pending.push(value)
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
    if (before?.type === 'name' && before.value === 'case') found.set(index, open.at(-1)?.names ?? [])
  }
  return found
}
