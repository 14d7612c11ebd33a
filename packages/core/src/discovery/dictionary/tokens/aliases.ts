import { toGrouping } from './groups.ts'
import type { Token } from './scan-tokens.ts'
import { roomOf } from './token-place.ts'

const maxDistance = 10
/** Room for `Math.floor((Date.now() - Date.parse(payload.createdAt)) / (24 * 60 * 60 * 1000))`. */
const maxSourceRoom = 28
const maxSourceDistance = 84
const maxNames = 12
const ends: ReadonlySet<string> = new Set([';', ',', '{', '}'])
/** Where a line ends without a semicolon, one of these often begins the next. */
export const beginnings: ReadonlySet<string> = new Set([
  ...['const', 'let', 'var', 'if', 'for', 'while', 'switch', 'return', 'try', 'throw', 'await', 'function', 'else'],
])

/** Variables, and the names of what they stand for. */
interface Naming {
  readonly targets: readonly string[]
  readonly sources: readonly string[]
}

/** What gives variables their values, by the mark or the word that it is told by. */
const namings: Readonly<Record<string, (tokens: readonly Token[], index: number) => Naming>> = {
  '=': (tokens, index) => ({ targets: toTargets(tokens, index), sources: toSources(tokens, index) }),
  ':': (tokens, index) => ({ targets: toRenamed(tokens, index), sources: [tokens[index - 1]?.value ?? ''] }),
  '=>': toItems,
  '[': toKeys,
  '(': toKeys,
  of: (tokens, index) => ({ targets: toTargets(tokens, index), sources: toSources(tokens, index) }),
}

/** For each variable the names of what it was made of: `n` of `const n = payload.name.length` stands for all three. */
export type Aliases = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Finds out what the variables of a source text stand for. It is a guess: scopes are not looked at.
 *
 * @param tokens - The source text.
 * @param grouped - The variables that it groups data into.
 */
export function toAliases(tokens: readonly Token[], grouped: ReadonlySet<string>): Aliases {
  const aliases = new Map<string, Set<string>>()
  collect(aliases, tokens)
  // What a group stands for is told behind the variable that it becomes: `const sums = items.reduce((all, item) => …`.
  if (grouped.size > 0) collect(aliases, tokens)
  return aliases
}

function collect(aliases: Map<string, Set<string>>, tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    const isNaming = token.type === 'mark' || (token.type === 'name' && token.value === 'of')
    const toNaming = isNaming ? namings[token.value] : undefined
    const { targets = [], sources = [] } = toNaming?.(tokens, index) ?? {}
    if (targets.length === 0) continue
    for (const target of targets) {
      const known = aliases.get(target) ?? new Set<string>()
      for (const name of sources) {
        if (known.size < maxNames && name !== target) known.add(name)
        for (const further of aliases.get(name) ?? [])
          if (known.size < maxNames && further !== target) known.add(further)
      }
      aliases.set(target, known)
    }
  }
}

/**
 * Returns names, and those of what they were made of.
 *
 * @param names - The names, as the source text has them.
 * @param aliases - What its variables stand for.
 */
export function withAliases(names: readonly string[], aliases: Aliases): ReadonlySet<string> {
  return new Set([...names, ...names.flatMap((name) => [...(aliases.get(name) ?? [])])])
}

/** What is assigned to: a name, or the names of a pattern such as `{ length: n }`. */
function toTargets(tokens: readonly Token[], index: number): readonly string[] {
  const before = tokens[index - 1]
  if (before?.type === 'name') return tokens[index - 2]?.value === '.' ? [] : [before.value]
  if (before?.value !== '}' && before?.value !== ']') return []
  const names: string[] = []
  let depth = 0
  for (let at = index - 1; at >= 0 && at > index - maxDistance * 3; at--) {
    const { type, value } = tokens[at] as Token
    if (type === 'name') names.push(value)
    if (type !== 'mark') continue
    if (value === '}' || value === ']') depth++
    if ((value === '{' || value === '[') && --depth === 0) return isElement(tokens, at) ? [] : names
  }
  return []
}

/** Whether a bracket is that of an element, as in `groups[kind] = 1`, and not of a pattern. */
function isElement(tokens: readonly Token[], index: number): boolean {
  const { type, value = '' } = tokens[index - 1] ?? {}
  return type === 'name' ? !beginnings.has(value) : value === ']' || value === ')'
}

/** The names that a pattern gives a field, as in `{ kind: k }` and `{ list: [first, ...rest] }`. */
function toRenamed(tokens: readonly Token[], index: number): readonly string[] {
  const [field, opening] = [tokens[index - 1], tokens[index - 2]?.value]
  if (field?.type !== 'name' || (opening !== '{' && opening !== ',')) return []
  const isList = tokens[index + 1]?.value === '['
  const names: string[] = []
  for (let at = index + (isList ? 2 : 1); at <= index + maxDistance; at++) {
    const { type, value } = tokens[at] ?? { type: 'mark', value: ']' }
    if (type === 'name') names.push(value)
    if (isList ? value === ']' : type === 'mark') return isList || /^[,}=]$/.test(value) ? names : []
  }
  return []
}

function toSources(tokens: readonly Token[], index: number): readonly string[] {
  const names: string[] = []
  for (let at = index + 1, room = maxSourceRoom; at <= index + maxSourceDistance && room > 0; at++) {
    const token = tokens[at]
    room -= roomOf(tokens, at)
    const isBody = token?.value === '=>' && tokens[at + 1]?.value === '{'
    if (!token || isBody || (token.type === 'mark' && ends.has(token.value))) break
    if (token.type !== 'name') continue
    if (beginnings.has(token.value) && at > index + 1) break
    names.push(token.value)
  }
  return names
}

/** The parameters of a callback, which stand for what its method is called on: `item` of `list.some((item) => …)`. */
function toItems(tokens: readonly Token[], index: number): Naming {
  const targets: string[] = []
  let at = index - 1
  if (tokens[at]?.value === ')')
    for (at--; at > index - maxDistance && tokens[at]?.value !== '('; at--) addName(targets, tokens[at])
  else addName(targets, tokens[at])
  const sources: string[] = []
  if (tokens[at - 1]?.value !== '(') return { targets: [], sources }
  for (let back = at - 2, room = maxDistance; back >= at - maxSourceDistance && room > 0; back--) {
    const token = tokens[back]
    room -= roomOf(tokens, back)
    if (token?.type !== 'name' && !/^(\?\.|\.|[()[\]!])$/.test(token?.value ?? '')) break
    addName(sources, token)
  }
  return { targets, sources }
}

/** What data is grouped into stands for the data that it is grouped by. */
function toKeys(tokens: readonly Token[], index: number): Naming {
  const { target, names = [] } = toGrouping(tokens, index) ?? {}
  return { targets: target === undefined ? [] : [target], sources: names }
}

function addName(names: string[], token: Token | undefined): void {
  if (token?.type === 'name') names.push(token.value)
}
