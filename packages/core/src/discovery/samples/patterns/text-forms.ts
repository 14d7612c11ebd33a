import type { JsonObject } from '@trestle/protocol'
import type { Dictionary } from '../../dictionary/dictionary.ts'
import { memoize } from '../../dictionary/memory.ts'
import { comparedWith, hasOneOf, type Literal } from '../../dictionary/tokens/surroundings.ts'
import { caseMethod, cleaner } from '../../dictionary/uses.ts'
import { toAddresses } from './address-forms.ts'
import { type Fit, putInto, toAffixed, toBeside, toFitted } from './affix-forms.ts'
import { around } from './around.ts'
import { toDates, toToday } from './date-forms.ts'
import { toJsonTexts } from './json-forms.ts'
import { any, keyOfLimits, textLimits, toFilter } from './limit-filter.ts'
import { compilePattern, isQuickPattern } from './parse-pattern.ts'
import { toParts } from './part-forms.ts'
import { toSliced } from './slice-forms.ts'
import { toTextOfPattern } from './text-of-pattern.ts'

/** A text that a comparison suggests; its key tells it from others of its place only. */
export interface TextForm {
  readonly kind: 'length'
  readonly key: number
  readonly isNear: true
  readonly value: string
}

const readers: readonly string[] = ['Number', 'parseInt', 'parseFloat']
/** These read the text of anything; what stands for any value is a number by itself. */
const parsers: readonly string[] = ['parseInt', 'parseFloat']
const replacers: readonly string[] = ['replace', 'replaceAll']
const matchers: readonly string[] = ['match', 'matchAll']
/** What `normalize` is told, and nothing is compared with. */
const normalForms: ReadonlySet<string> = new Set(['NFC', 'NFD', 'NFKC', 'NFKD'])
const maxLength = 1000
/** So many forms of one kind a place can have: each of them is a run. */
const maxForms = 16
/** A pattern may take the cube of a text's length, or more. */
const maxMatched = 60
/** So many literals of a kind are tried as the groups of a match. */
const maxGroups = 6

/**
 * Returns the texts of a place that a comparison suggests without naming them: a number where the source text makes one
 * of the place, a date before or behind the one it is compared with, what a regular expression matches, a text of so
 * many parts.
 *
 * @param dictionary - The literals of the source text.
 * @param place - The name under which code reads the place, its schema, of which no text is that does not fit, and the
 *   text it usually has.
 */
export function toTextForms(
  dictionary: Dictionary,
  { name, schema, usual }: { readonly name: string; readonly schema: JsonObject; readonly usual: () => string },
): readonly TextForm[] {
  const { format } = schema
  // What may be a number anyway needs no text that becomes one.
  const isText = schema['type'] !== 'unknown'
  const forms = memoize(dictionary, { kind: `form of ${isText} ${String(format)}`, name }, () => {
    const makers = [
      ...(isText ? [toNumbers] : [toParsedNumbers]),
      toBeside,
      toCodes,
      toMatches,
      toParts,
      toAffixed,
      toSliced,
      toAddresses,
      toCased,
      toUnclean,
      toDigits,
      toJsonTexts,
      toToday,
    ]
    const texts = [...makers.map((make) => make(dictionary, name)), toDates(dictionary, name, format)]
    const short = texts.flatMap((made) => made.filter((text) => text.length <= maxLength).slice(0, maxForms))
    return [...new Set(short)].map(toForm)
  })
  const isAllowed = toFilter(schema, textLimits)
  if (isAllowed === any) return forms
  const fitted = memoize(dictionary, { kind: `fit of ${keyOfLimits(schema, textLimits)}`, name }, () => {
    const fit = { usual: usual(), isAllowed }
    const texts = [...toFitted(dictionary, name, fit), ...toFittedMatches(dictionary, name, fit)]
    return texts.slice(0, maxForms).map((value, index) => toForm(value, forms.length + index))
  })
  return [...forms.filter(({ value }) => isAllowed(value)), ...fitted]
}

function toForm(value: string, key: number): TextForm {
  return { kind: 'length', key, isNear: true, value }
}

function toNumbers(dictionary: Dictionary, name: string): readonly string[] {
  // A plus sign in front of a text makes a number of it, too.
  return comparedWith(dictionary.numbers, name)
    .filter(({ names, isOrdered }) => hasOneOf(names, readers) || (isOrdered && !names.has('length')))
    .flatMap(({ value }) => around(value).map(String))
}

function toParsedNumbers(dictionary: Dictionary, name: string): readonly string[] {
  return comparedWith(dictionary.numbers, name)
    .filter(({ names }) => hasOneOf(names, parsers))
    .flatMap(({ value }) => around(value).map(String))
}

function toCodes(dictionary: Dictionary, name: string): readonly string[] {
  return comparedWith(dictionary.numbers, name)
    .filter(({ names }) => hasOneOf(names, ['charCodeAt', 'codePointAt']))
    .flatMap(({ value }) => around(Math.floor(value)))
    .filter((code) => code >= 0 && code <= 0x10ffff)
    .map((code) => String.fromCodePoint(code))
}

/** Where letters are compared with what they are themselves when made great or small, and with no literal. */
function toCased(dictionary: Dictionary, name: string): readonly string[] {
  if (!dictionary.cased.has(name) || isNamed(dictionary, name, caseMethod)) return []
  return [name.toUpperCase(), `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, name.toLowerCase()]
}

/** What white space is taken away from: nothing else, and, where that is compared with no literal, signs like é, too. */
function toUnclean(dictionary: Dictionary, name: string): readonly string[] {
  if (!dictionary.cleaned.has(name)) return []
  return isNamed(dictionary, name, cleaner) ? [' '] : [`\u00e9 ${name} `, name, ' ']
}

/** Whether what a method makes of a place is compared with a literal. */
function isNamed({ texts }: Dictionary, name: string, method: RegExp): boolean {
  const others = comparedWith(texts, name).filter(({ value }) => !normalForms.has(value))
  return others.some(({ names }) => [...names].some((one) => method.test(one)))
}

/** A regular expression that a place is held against, with a text that it matches; `undefined` where it is none, or slow. */
function toMatched(
  { value, names }: Literal<string>,
  name: string,
): { readonly text: string | undefined; readonly isMatch: (made: string) => boolean } | undefined {
  const compiled = names.has(name) && isQuickPattern(value) ? compilePattern(value) : undefined
  if (!compiled) return undefined
  const isMatch = (made: string): boolean => made.length <= maxMatched && compiled.test(made)
  return { text: toTextOfPattern(value, isMatch), isMatch }
}

/** What a regular expression matches, alone, with something in front of it, and with what its groups are compared with. */
function toMatches(dictionary: Dictionary, name: string): readonly string[] {
  const groups = toGroups(dictionary, name)
  return dictionary.patterns.flatMap((pattern) => {
    const { text, isMatch } = toMatched(pattern, name) ?? {}
    if (!isMatch) return []
    // Each alternative may lead elsewhere.
    const count = Math.min(pattern.value.split('|').length, maxGroups)
    const branches = Array.from({ length: count }, (_, branch) => branch)
    const made = [
      ...branches.map((branch) => toTextOfPattern(pattern.value, isMatch, { branch })),
      ...(text !== undefined && isMatch(`a${text}`) ? [`a${text}`] : []),
      ...branches.flatMap((branch) =>
        groups.map((group) => toTextOfPattern(pattern.value, isMatch, { branch, group })),
      ),
    ]
    const often = text === undefined ? [] : toCounts(dictionary, name, matchers).map((count) => text.repeat(count))
    return [...new Set([...made, ...often])].filter((one) => one !== undefined)
  })
}

/** Where what a regular expression matches does not fit alone, such as the end of an address. */
function toFittedMatches({ patterns }: Dictionary, name: string, fit: Fit): readonly string[] {
  return patterns.flatMap((pattern) => {
    const { text, isMatch } = toMatched(pattern, name) ?? {}
    return !isMatch || text === undefined || fit.isAllowed(text) ? [] : (putInto(fit, text, isMatch) ?? [])
  })
}

/**
 * Where it is asked how long a text is of which something was taken away: digits, which are what is mostly left. A pattern
 * that may take for ever over them, such as `(\d+)+x`, would hold up the whole process.
 */
function toDigits(dictionary: Dictionary, name: string): readonly string[] {
  const patterns = [...dictionary.replaced, ...dictionary.patterns].filter(({ names }) => names.has(name))
  const isSlow = patterns.some(({ value }) => !isQuickPattern(value))
  if (isSlow) return []
  return toCounts(dictionary, name, replacers).map((count) => '5'.repeat(count))
}

/** The numbers that the length of what a method returns is compared with. */
function toCounts({ numbers }: Dictionary, name: string, methods: readonly string[]): readonly number[] {
  return comparedWith(numbers, name)
    .filter(({ names }) => names.has('length') && hasOneOf(names, methods))
    .flatMap(({ value }) => around(value))
    .filter((count) => Number.isInteger(count) && count > 0 && count <= maxMatched)
}

/** What is compared with the groups of a match: texts, and numbers that are made of them. */
function toGroups(dictionary: Dictionary, name: string): readonly string[] {
  const texts = comparedWith(dictionary.texts, name).filter(({ value }) => value.length <= maxMatched)
  // Others may only tell which group it is.
  const numbers = comparedWith(dictionary.numbers, name)
    .toSorted((left, right) => Number(right.isOrdered) - Number(left.isOrdered))
    .flatMap(({ value }) => around(value).map(String))
  return [...texts.slice(0, maxGroups).map(({ value }) => value), ...numbers.slice(0, maxGroups)]
}
