import { toSide } from './partners.ts'
import { type Aliases, withAliases } from './tokens/aliases.ts'
import type { Token } from './tokens/scan-tokens.ts'
import { type Literal, toSurroundings } from './tokens/surroundings.ts'
import { isKey, isKeyTest, isLookUp } from './tokens/token-place.ts'

const maxNames = 60
/** So many places are looked at where a field or an item is compared. */
const maxUses = 200

/** What the literals of a list or a table are held against, by way of a name: a field, an item, or the whole list. */
export type Held = ReadonlyMap<string, { readonly names: ReadonlySet<string>; readonly isOrdered: boolean }>

/**
 * Finds out what the literals of lists and tables are held against: `1000` of `{ name: 'gold', min: 1000 }` against `total`,
 * where `payload.total >= tier.min`; `'read'` of `['read', 'write']` against `roles`, where
 * `every((role) => payload.roles.includes(role))`.
 *
 * @param tokens - The source text.
 * @param aliases - What its variables stand for.
 */
export function toHeld(tokens: readonly Token[], aliases: Aliases): Held {
  const held = new Map<string, { names: Set<string>; isOrdered: boolean }>()
  const sought = toSought(tokens)
  let uses = 0
  for (const [index, { type, value }] of tokens.entries()) {
    if (type !== 'name' || isKey(tokens, index) || uses >= maxUses) continue
    const lists = [value, ...(aliases.get(value) ?? [])].filter((name) => sought.has(name))
    if (lists.length === 0) continue
    uses++
    const { names, isCompared, isOrdered } = toSurroundings(tokens, index)
    if (!isCompared) continue
    for (const list of lists) {
      const known = held.get(list) ?? { names: new Set<string>(), isOrdered: true }
      for (const name of withAliases([...names], aliases)) if (known.names.size < maxNames) known.names.add(name)
      held.set(list, { ...known, isOrdered: known.isOrdered && isOrdered })
    }
  }
  return held
}

/**
 * Returns where a literal of a list or a table stands: beside what an item or a field is compared with.
 *
 * @param own - Where it is written.
 * @param through - The names by way of which it is compared.
 * @param held - What lists and tables are held against.
 */
export function throughTable(
  own: Omit<Literal<unknown>, 'value'>,
  through: Iterable<string>,
  held: Held,
): Omit<Literal<unknown>, 'value'> {
  const found = [...through].flatMap((name) => held.get(name) ?? [])
  if (found.length === 0) return own
  return {
    names: new Set([...own.names, ...found.flatMap(({ names }) => [...names])]),
    isCompared: true,
    isOrdered: found.every(({ isOrdered }) => isOrdered),
  }
}

/**
 * Returns what the keys of tables that have a name are held against: `mail` of `const steps = { mail: … }` against `channel`, where
 * it says `steps[payload.channel]`. Where nothing is looked up no key is told of.
 *
 * @param tokens - The source text.
 * @param aliases - What its variables stand for.
 */
export function toLookedUp(
  tokens: readonly Token[],
  aliases: Aliases,
): ReadonlyMap<number, Omit<Literal<unknown>, 'value'>> {
  const names = new Map<string, ReadonlySet<string>>()
  let looksUp = false
  for (const [index, { value }] of tokens.entries()) {
    const isAsked = isKeyTest(tokens, index) || isLookUp(tokens, index)
    const isTest = value === 'in'
    looksUp ||= isAsked
    const table = tokens[isTest ? index + 1 : index - 1]
    const known = names.get(table?.value ?? '') ?? new Set<string>()
    if (table?.type !== 'name' || Math.max(names.size, known.size) >= maxNames || !isAsked) continue
    const by = withAliases(isTest ? toSide(tokens, index - 1, -1) : toSide(tokens, index + 1, 1), aliases)
    names.set(table.value, new Set([...known, ...by]))
  }
  const found = new Map<number, Omit<Literal<unknown>, 'value'>>()
  const open: (ReadonlySet<string> | undefined)[] = []
  for (const [index, { type, value }] of tokens.entries()) {
    if (type === 'mark' && value === '{')
      open.push(tokens[index - 1]?.value === '=' ? names.get(tokens[index - 2]?.value ?? '') : undefined)
    else if (type === 'mark' && value === '}') open.pop()
    const own = open.at(-1)
    if (looksUp && type === 'name' && isKey(tokens, index))
      found.set(index, { names: own ?? new Set(), isCompared: own !== undefined, isOrdered: false })
  }
  return found
}

/** The fields and variables that literals are the values of, and the names beside lists of literals. */
function toSought(tokens: readonly Token[]): ReadonlySet<string> {
  const sought = new Set<string>()
  for (const [index, { type }] of tokens.entries()) {
    if (type !== 'text' && type !== 'number') continue
    if (isKey(tokens, index - 2)) sought.add(tokens[index - 2]?.value ?? '')
    else if (isNamed(tokens, index)) sought.add(tokens[index - 2]?.value ?? '')
    else if (isListed(tokens, index)) for (const name of toSurroundings(tokens, index).names) sought.add(name)
  }
  return sought
}

/** `const PREFIX = 'user_'`; what is worked out of several is none of them. */
function isNamed(tokens: readonly Token[], index: number): boolean {
  const [dot, name, sign, , after] = tokens.slice(Math.max(index - 3, 0), index + 2)
  return name?.type === 'name' && sign?.value === '=' && dot?.value !== '.' && !/^[-+*/%]$/.test(after?.value ?? '')
}

function isListed(tokens: readonly Token[], index: number): boolean {
  return /^[[,]$/.test(tokens[index - 1]?.value ?? '') && /^[\],]$/.test(tokens[index + 1]?.value ?? '')
}
