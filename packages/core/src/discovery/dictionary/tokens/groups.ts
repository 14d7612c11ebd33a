import type { Token } from './scan-tokens.ts'
import { isInherited } from './token-place.ts'

/** Room for `groups[event.payload.kind]`. */
const maxKeyTokens = 12
const maxGroups = 10
const maxRead = 40

/** What is read of a value that was grouped by data: the name, as a text that the data may be. */
export interface ReadGroup {
  readonly value: string
  /** The names of the data that it was grouped by. */
  readonly names: ReadonlySet<string>
}

/**
 * Returns the names of the key under which a source text puts something into a variable: `kind` of
 * `groups[event.kind] = …` and of `counts.set(event.kind, …)`.
 *
 * @param tokens - The source text.
 * @param index - The bracket.
 * @returns The variable, and the names; `undefined` where nothing is put there.
 */
export function toGrouping(
  tokens: readonly Token[],
  index: number,
): { readonly target: string; readonly names: readonly string[] } | undefined {
  const isSet = tokens[index]?.value === '('
  if (isSet && !(tokens[index - 1]?.value === 'set' && tokens[index - 2]?.value === '.')) return undefined
  const target = tokens[isSet ? index - 3 : index - 1]
  if (target?.type !== 'name') return undefined
  const names: string[] = []
  for (let at = index + 1; at <= index + maxKeyTokens; at++) {
    const { type, value } = tokens[at] ?? { type: 'mark', value: ';' }
    if (type === 'name') names.push(value)
    else if (isSet && value === ',') return { target: target.value, names }
    else if (!isSet && value === ']') return isWrite(tokens, at + 1) ? { target: target.value, names } : undefined
    else if (!/^\??\.$/.test(value)) return undefined
  }
  return undefined
}

/** `=`, `+=`, `??=`, `++`. */
function isWrite(tokens: readonly Token[], at: number): boolean {
  const [first, second] = [tokens[at]?.value, tokens[at + 1]?.value]
  return (
    first === '=' || (second === '=' && /^([-+]|\?\?|\|\|)$/.test(first ?? '')) || (first === '+' && second === '+')
  )
}

/**
 * Returns what a source text reads of the variables that it groups data into: `comment` of `groups.comment`.
 *
 * @param tokens - The source text.
 * @param aliases - What its variables stand for.
 * @param grouped - The variables that something is put into.
 */
export function toReadGroups(
  tokens: readonly Token[],
  aliases: ReadonlyMap<string, ReadonlySet<string>>,
  grouped: ReadonlySet<string>,
): readonly ReadGroup[] {
  const found: ReadGroup[] = []
  if (grouped.size === 0) return found
  const isGrouped = (name: string): boolean =>
    grouped.has(name) || [...(aliases.get(name) ?? [])].some((one) => grouped.has(one))
  for (const [index, { type, value }] of tokens.entries()) {
    if (found.length >= maxRead) return found
    const [object, dot] = [tokens[index - 2], tokens[index - 1]]
    const isField = type === 'name' && /^\??\.$/.test(dot?.value ?? '') && tokens[index + 1]?.value !== '('
    const isKey = type === 'text' && dot?.value === '[' && tokens[index + 1]?.value === ']'
    if ((isField || isKey) && object?.type === 'name' && isGrouped(object.value) && !isInherited(value))
      found.push({ value, names: aliases.get(object.value) ?? new Set() })
  }
  return found
}

/**
 * Returns the variables that a source text groups data into.
 *
 * @param tokens - The source text.
 */
export function toGrouped(tokens: readonly Token[]): ReadonlySet<string> {
  const grouped = new Set<string>()
  for (const [index, { type, value }] of tokens.entries()) {
    if (grouped.size >= maxGroups) break
    if (type === 'name' && value === 'groupBy') addAssigned(grouped, tokens, index)
    const grouping = type === 'mark' && /^[[(]$/.test(value) ? toGrouping(tokens, index) : undefined
    if (grouping) grouped.add(grouping.target)
  }
  return grouped
}

/** `groups` of `const groups = Object.groupBy(`. */
function addAssigned(grouped: Set<string>, tokens: readonly Token[], index: number): void {
  const [variable, equals] = [tokens[index - 4], tokens[index - 3]]
  if (equals?.value === '=' && variable?.type === 'name') grouped.add(variable.value)
}
