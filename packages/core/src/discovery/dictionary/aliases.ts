import type { Token } from './scan-tokens.ts'

const maxDistance = 10
const maxNames = 12
const ends: ReadonlySet<string> = new Set([';', ',', '{', '}', '=>'])
/** Where a line ends without a semicolon, one of these often begins the next. */
export const beginnings: ReadonlySet<string> = new Set([
  ...['const', 'let', 'var', 'if', 'for', 'while', 'switch', 'return', 'try', 'throw', 'await', 'function', 'else'],
])

/** For each variable the names of what it was made of: `n` of `const n = payload.name.length` stands for all three. */
export type Aliases = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Finds out what the variables of a source text stand for. It is a guess: scopes are not looked at.
 *
 * @param tokens - The source text.
 */
export function toAliases(tokens: readonly Token[]): Aliases {
  const aliases = new Map<string, Set<string>>()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'mark' || token.value !== '=') continue
    const targets = toTargets(tokens, index)
    if (targets.length === 0) continue
    const sources = toSources(tokens, index)
    for (const target of targets) {
      const known = aliases.get(target) ?? new Set<string>()
      // One of a pattern stands for its field, which is not far from it: for all of the pattern, then.
      for (const name of [...targets, ...sources]) {
        if (known.size < maxNames && name !== target) known.add(name)
        for (const further of aliases.get(name) ?? [])
          if (known.size < maxNames && further !== target) known.add(further)
      }
      aliases.set(target, known)
    }
  }
  return aliases
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
    if ((value === '{' || value === '[') && --depth === 0) return names
  }
  return []
}

function toSources(tokens: readonly Token[], index: number): readonly string[] {
  const names: string[] = []
  for (let at = index + 1; at <= index + maxDistance; at++) {
    const token = tokens[at]
    if (!token || (token.type === 'mark' && ends.has(token.value))) break
    if (token.type !== 'name') continue
    if (beginnings.has(token.value) && at > index + 1) break
    names.push(token.value)
  }
  return names
}
