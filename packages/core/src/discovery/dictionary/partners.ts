import { type Aliases, beginnings, withAliases } from './tokens/aliases.ts'
import type { Token } from './tokens/scan-tokens.ts'
import { isPropertyName, roomOf, sames } from './tokens/token-place.ts'

/** For each name those that the source text compares with it: `subscriberId` for `ownerId`, and the other way round. */
export type Partners = ReadonlyMap<string, ReadonlySet<string>>

const maxRoom = 10
const maxDistance = 30
const maxNames = 12
const searches: ReadonlySet<string> = new Set(['includes', 'has', 'indexOf', 'is', 'localeCompare'])
const ends: ReadonlySet<string> = new Set([';', ',', '{', '}', '&&', '||', '??', '?', ':', '=>', '=', '!', '+'])
/** The methods that tell how far one time is from another. */
const measures: ReadonlySet<string> = new Set(['diff', 'since', 'until', 'isSame', 'isBefore', 'isAfter'])
/** No names of data. */
const keywords: ReadonlySet<string> = new Set([
  ...beginnings,
  ...['case', 'typeof', 'undefined', 'null', 'true', 'false', 'NaN', 'this'],
])

/**
 * Finds the names that are compared with each other for being the same. What is compared with a literal is not among
 * them: the literal is tried there.
 *
 * @param tokens - The source text.
 * @param aliases - What its variables stand for.
 */
export function toPartners(tokens: readonly Token[], aliases: Aliases): Partners {
  const partners = new Map<string, Set<string>>()
  for (const [index, { type, value }] of tokens.entries()) {
    const isSearch = type === 'name' && searches.has(value) && tokens[index + 1]?.value === '('
    if (!isSearch && !(type === 'mark' && sames.has(value))) continue
    const right = toSide(tokens, index + (isSearch ? 2 : 1), 1)
    // `Object.is(left, right)` has both behind it.
    const left = isSearch && value === 'is' ? toSecond(tokens, index + 2) : toSide(tokens, index - 1, -1)
    connect(partners, toNames(left, aliases), toNames(right, aliases))
  }
  return partners
}

/**
 * Finds the names of which the one is taken away from the other, or that are given to one function, as in
 * `daysBetween(payload.from, payload.to)`.
 *
 * @param tokens - The source text.
 * @param aliases - What its variables stand for.
 */
export function toDifferences(tokens: readonly Token[], aliases: Aliases): Partners {
  const found = new Map<string, Set<string>>()
  for (const [index, { type, value }] of tokens.entries()) {
    const isMethod = type === 'name' && measures.has(value) && tokens[index + 1]?.value === '('
    const isSign = type === 'mark' && (value === '-' || (value === ',' && isBetweenArguments(tokens, index)))
    if (!isMethod && !isSign) continue
    // A plus makes a number of a date: `+end - +start`.
    const next = index + (isMethod || tokens[index + 1]?.value === '+' ? 2 : 1)
    const [left, right] = [toSide(tokens, index - 1, -1), toSide(tokens, next, 1)]
    connect(found, toNames(left, aliases), toNames(right, aliases))
  }
  return found
}

/** Whether a comma stands between what a function is given, and not between fields, variables or parameters. */
function isBetweenArguments(tokens: readonly Token[], index: number): boolean {
  let depth = 0
  for (let at = index - 1; at > 0 && at >= index - maxDistance; at--) {
    const { type, value } = tokens[at] as Token
    if (type !== 'mark') continue
    if (/^[)\]}]$/.test(value)) depth++
    else if (/^[([{]$/.test(value) && depth-- === 0) return value === '(' && tokens[at - 1]?.type === 'name'
  }
  return false
}

/**
 * Returns the names of one side of a comparison, as far as its brackets go; none where it is a literal, or is made of one.
 *
 * @param tokens - The source text.
 * @param from - The token of the side that is nearest to the sign.
 * @param direction - Where the side lies.
 */
export function toSide(tokens: readonly Token[], from: number, direction: 1 | -1): readonly string[] {
  const [opening, closing] = direction === 1 ? [/^[([]$/, /^[)\]]$/] : [/^[)\]]$/, /^[([]$/]
  const names: string[] = []
  let depth = 0
  for (let distance = 0, room = maxRoom; distance < maxDistance && room > 0; distance++) {
    const at = from + direction * distance
    const token = tokens[at]
    if (!token) break
    const { type, value } = token
    const isProperty = isPropertyName(tokens, at)
    room -= roomOf(tokens, at)
    if (type === 'text' && !isProperty && depth === 0) return []
    if (type === 'mark') {
      if (ends.has(value) && (value !== ',' || depth === 0)) break
      if (opening.test(value)) depth++
      else if (closing.test(value) && depth-- === 0) break
    }
    if (type === 'name' && keywords.has(value)) break
    if ((type !== 'name' && !isProperty) || value === 'new') continue
    names.push(value)
  }
  return names
}

/** The names of what a call is given second. */
function toSecond(tokens: readonly Token[], from: number): readonly string[] {
  const comma = tokens.slice(from, from + maxDistance).findIndex(({ value }) => value === ',')
  return comma === -1 ? [] : toSide(tokens, from + comma + 1, 1)
}

function toNames(side: readonly string[], aliases: Aliases): readonly string[] {
  return [...withAliases(side, aliases)].slice(0, maxNames)
}

function connect(partners: Map<string, Set<string>>, left: readonly string[], right: readonly string[]): void {
  for (const one of left)
    for (const other of right) {
      addTo(partners, one, other)
      addTo(partners, other, one)
    }
}

function addTo(partners: Map<string, Set<string>>, name: string, partner: string): void {
  const known = partners.get(name) ?? new Set<string>()
  partners.set(name, known.add(partner))
}
