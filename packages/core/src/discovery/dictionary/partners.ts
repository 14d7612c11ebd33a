import { type Aliases, beginnings, withAliases } from './tokens/aliases.ts'
import type { Token } from './tokens/scan-tokens.ts'
import { isPropertyName, sames } from './tokens/token-place.ts'

/** For each name those that the source text compares with it: `subscriberId` for `ownerId`, and the other way round. */
export type Partners = ReadonlyMap<string, ReadonlySet<string>>

const maxDistance = 10
const maxNames = 12
const searches: ReadonlySet<string> = new Set(['includes', 'has', 'indexOf', 'is', 'localeCompare'])
const ends: ReadonlySet<string> = new Set([';', ',', '{', '}', '&&', '||', '??', '?', ':', '=>', '=', '!', '+'])
/** No names of data. */
const keywords: ReadonlySet<string> = new Set([
  ...beginnings,
  ...['case', 'typeof', 'new', 'undefined', 'null', 'true', 'false', 'NaN', 'this'],
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
    const others = toNames(right, aliases)
    for (const one of toNames(left, aliases))
      for (const other of others) {
        addTo(partners, one, other)
        addTo(partners, other, one)
      }
  }
  return partners
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
  for (let distance = 0; distance < maxDistance; distance++) {
    const token = tokens[from + direction * distance]
    if (!token) break
    const { type, value } = token
    const isProperty = isPropertyName(tokens, from + direction * distance)
    if (type === 'text' && !isProperty && depth === 0) return []
    if (type === 'mark') {
      if (ends.has(value)) break
      if (opening.test(value)) depth++
      else if (closing.test(value) && depth-- === 0) break
    }
    if (type === 'name' && keywords.has(value)) break
    if (type !== 'name' && !isProperty) continue
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

function addTo(partners: Map<string, Set<string>>, name: string, partner: string): void {
  const known = partners.get(name) ?? new Set<string>()
  partners.set(name, known.add(partner))
}
