import { toCopied } from './copies.ts'
import { type Aliases, withAliases } from './tokens/aliases.ts'
import type { Token } from './tokens/scan-tokens.ts'
import { toSurroundings } from './tokens/surroundings.ts'

/** What a source text does with its data, where no literal tells of it. */
export interface Uses {
  /** The names that addresses are made of, as in `new URL(payload.link)`. */
  readonly addresses: ReadonlySet<string>
  /** The names whose dates are asked for a part, and the method that asks. */
  readonly dateParts: ReadonlyMap<string, string>
  /** The names whose letters are made great or small. */
  readonly cased: ReadonlySet<string>
  /** The names whose texts are made plain, or asked for their signs: white space and letters such as é matter. */
  readonly cleaned: ReadonlySet<string>
  /** The names that dates are made of. */
  readonly dated: ReadonlySet<string>
  /** The names of numbers that are made whole, or asked whether they are. */
  readonly whole: ReadonlySet<string>
  /** The names of texts that are read as JSON, and the fields that are read of them. */
  readonly parsed: ReadonlyMap<string, ReadonlySet<string>>
  /** The fields that are read of copies of its data. */
  readonly copied: ReadonlySet<string>
  /** The names of methods that are called. */
  readonly called: ReadonlySet<string>
}

/** The methods of a date that tell a part of it. */
export const datePart: RegExp = /^get(UTC)?(Hours|Day|Date|Month|FullYear|Minutes)$/
/** The methods that make letters great or small. */
export const caseMethod: RegExp = /^to(Locale)?(Upper|Lower)Case$/
/** What takes white space away, or tells letters such as é from others. */
export const cleaner: RegExp =
  /^(trim|trimStart|trimEnd|normalize|encodeURI|encodeURIComponent|codePointAt|charCodeAt)$/
const wholeMethod = /^(isInteger|isSafeInteger|floor|ceil|round|trunc)$/
/** Room for `(event.payload.link, base)`. */
const maxWithin = 12
const maxFields = 12
/** So many texts that are read as JSON are looked at: for each of them all of the source text is. */
const maxParsed = 20

/** What nothing is done with. */
export const noUses: Uses = {
  ...{ addresses: new Set<string>(), dateParts: new Map<string, string>(), cased: new Set<string>() },
  ...{ cleaned: new Set<string>(), dated: new Set<string>() },
  ...{ whole: new Set<string>(), parsed: new Map<string, ReadonlySet<string>>() },
  ...{ copied: new Set<string>(), called: new Set<string>() },
}

/**
 * Finds out what a source text does with its data.
 *
 * @param tokens - The source text.
 * @param aliases - What its variables stand for.
 */
export function toUses(tokens: readonly Token[], aliases: Aliases): Uses {
  const addresses = new Set<string>()
  const dateParts = new Map<string, string>()
  const cased = new Set<string>()
  const cleaned = new Set<string>()
  const dated = new Set<string>()
  const whole = new Set<string>()
  const parsed = new Map<string, ReadonlySet<string>>()
  const called = new Set<string>()
  let parses = 0
  for (const [index, { type, value }] of tokens.entries()) {
    const within = (): ReadonlySet<string> => withAliases(namesWithin(tokens, index + 1), aliases)
    const around = (): ReadonlySet<string> => withAliases([...toSurroundings(tokens, index).names], aliases)
    if (type === 'mark' && value === '%' && tokens[index + 1]?.value === '1') addAll(whole, around())
    if (type !== 'name') continue
    if (isCalled(tokens, index)) called.add(value)
    if (value === 'URL' || value === 'canParse') addAll(addresses, within())
    else if (wholeMethod.test(value)) addAll(whole, within())
    else if (value === 'parse' && tokens[index - 2]?.value === 'JSON' && ++parses <= maxParsed)
      for (const name of within()) parsed.set(name, toFields(tokens, index))
    else if (value === 'Date') addAll(dated, within())
    else if (value === 'parse' && tokens[index - 2]?.value === 'Date') addAll(dated, within())
    else if (caseMethod.test(value)) addAll(cased, around())
    else if (cleaner.test(value)) addAll(cleaned, around())
    else if (datePart.test(value)) for (const name of around()) dateParts.set(name, value)
  }
  return { addresses, dateParts, cased, cleaned, dated, whole, parsed, copied: toCopied(tokens), called }
}

/** `list.some(` or `list.some?.(`. */
function isCalled(tokens: readonly Token[], index: number): boolean {
  const next = tokens[index + 1]?.value
  const isCall = next === '(' || (next === '?.' && tokens[index + 2]?.value === '(')
  return isCall && /^\??\.$/.test(tokens[index - 1]?.value ?? '')
}

/** The names in the brackets of a call. */
function namesWithin(tokens: readonly Token[], from: number): readonly string[] {
  if (tokens[from]?.value !== '(') return []
  const names: string[] = []
  let depth = 0
  for (const { type, value } of tokens.slice(from, from + maxWithin)) {
    if (type === 'name') names.push(value)
    if (type === 'mark' && value === '(') depth++
    if (type === 'mark' && value === ')' && --depth === 0) break
  }
  return names
}

/** The fields that are read of what `JSON.parse` gives: at once, by a pattern, or through a variable. */
function toFields(tokens: readonly Token[], index: number): ReadonlySet<string> {
  const fields = new Set<string>()
  const before = tokens[index - 4]
  const isAssigned = tokens[index - 3]?.value === '='
  const variable = isAssigned && before?.type === 'name' ? before.value : undefined
  for (
    let at = index - 5;
    isAssigned && before?.value === '}' && at > index - maxWithin && tokens[at]?.value !== '{';
    at--
  )
    addField(fields, tokens[at])
  const end = tokens.findIndex(({ value }, at) => at > index && value === ')')
  for (const [at, { type, value }] of tokens.entries()) {
    const isObject = type === 'name' ? value === variable : at === end
    if (isObject && /^\??\.$/.test(tokens[at + 1]?.value ?? '')) addField(fields, tokens[at + 2])
  }
  return fields
}

function addField(fields: Set<string>, token: Token | undefined): void {
  if (token?.type === 'name' && fields.size < maxFields) fields.add(token.value)
}

function addAll(found: Set<string>, names: Iterable<string>): void {
  for (const name of names) found.add(name)
}
