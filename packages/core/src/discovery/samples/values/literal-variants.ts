import type { JsonObject } from '@trestle/protocol'
import { type Dictionary, noDictionary } from '../../dictionary/dictionary.ts'
import { memoize } from '../../dictionary/memory.ts'
import type { Literal } from '../../dictionary/tokens/surroundings.ts'
import { around, aroundLiteral } from '../patterns/around.ts'
import { any, textLimits, toFilter } from '../patterns/limit-filter.ts'
import { toNumberForms } from '../patterns/number-forms.ts'
import { toTextForms } from '../patterns/text-forms.ts'
import type { LiteralValue } from '../variation/variation.ts'
import { nameOf } from './place-name.ts'
import { guessType } from './resolve-schema.ts'
import type { SampleLocation } from './sample-location.ts'
import { toSampleText } from './sample-text.ts'

/** A value that a literal of the source text stands for. */
export interface LiteralVariant extends LiteralValue {
  readonly value: string | number | boolean | null
  /** Whether it is only held against what is smaller or greater. */
  readonly isOrdered?: boolean
  /** Whether it only says which item of a list is meant, or is beside such a number. */
  readonly isIndex?: boolean
}

/** The keywords that say which numbers a place can have. */
export const bounds: readonly string[] = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'not',
  'type',
]

const anything: JsonObject = { type: 'unknown' }
const anyDate: JsonObject = { type: 'unknown', format: 'date-time' }
const noLiterals: readonly LiteralVariant[] = []
/** The longest list that a literal can ask for. */
export const maxItems = 100
/** The longest text that a literal can ask for. */
const maxLength = 1000

/**
 * Returns the values of a place that the function's own source text suggests.
 *
 * @param schema - The place's schema, references followed.
 * @param place - The place.
 */
export function toLiteralVariants(schema: JsonObject, place: SampleLocation): readonly LiteralVariant[] {
  const { dictionary, path, counts } = place
  if (dictionary === noDictionary || schema['enum'] || schema['oneOf'] || schema['anyOf']) return noLiterals
  const type = schema['type'] ?? guessType(schema)
  if (Array.isArray(type)) return type.flatMap((one) => toLiteralVariants({ ...schema, type: one }, place))
  if (Object.hasOwn(schema, 'const')) return noLiterals
  if (type === 'string') {
    const usual = (): string => toSampleText(schema, place.name, '')
    const forms = toTextForms(dictionary, { name: nameOf(path), schema, usual })
    return [...toTextVariants(dictionary, path, schema), ...toLongTexts(dictionary, path, schema), ...forms]
  }
  if (type === 'unknown') return toUnknownVariants(dictionary, path).filter(({ isNear }) => isNear)
  if (type === 'number' || type === 'integer') return toNumberVariants(dictionary, path, schema)
  if (type !== 'array') return noLiterals
  const high = Math.min(Number(schema['maxItems'] ?? maxItems), maxItems)
  const lengths = toLengthVariants(dictionary, path, { low: Number(schema['minItems'] ?? 0), high })
  return lengths.filter(({ value }) => !counts.includes(value))
}

/**
 * Returns the texts of the source text that a place can have.
 *
 * @param dictionary - The literals.
 * @param path - The place.
 * @param schema - The place's schema; a text that does not fit is left out.
 */
export function toTextVariants(
  dictionary: Dictionary,
  path: string,
  schema: JsonObject = {},
): readonly LiteralVariant[] {
  const isAllowed = toFilter(schema, textLimits)
  const all = memoize(dictionary, { kind: 'text', name: nameOf(path) }, (name) =>
    dictionary.texts.map((literal, key) => ({
      kind: 'text' as const,
      key,
      isNear: isNear(literal, name),
      value: literal.value,
    })),
  )
  return isAllowed === any ? all : all.filter(({ value }) => isAllowed(value))
}

/** Texts of the lengths that the source text compares the place's own length with. */
function toLongTexts(dictionary: Dictionary, path: string, schema: JsonObject): readonly LiteralVariant[] {
  const isAllowed = toFilter(schema, textLimits)
  const all = memoize(dictionary, { kind: 'length', name: nameOf(path) }, (name) => {
    const lengths = dictionary.numbers
      .filter((literal) => isNear(literal, name) && literal.names.has('length'))
      .flatMap(({ value, isOrdered }) => around(value, !isOrdered))
      .filter((length) => Number.isInteger(length) && length > 0 && length <= maxLength)
    return [...new Set(lengths)].map((length) => ({
      kind: 'length' as const,
      key: length,
      isNear: true,
      value: name.slice(0, length).padEnd(length, 'x'),
    }))
  })
  return all.filter(({ value }) => isAllowed(value))
}

/**
 * Returns what the source text compares a place with that nothing describes.
 *
 * @param dictionary - The literals.
 * @param path - The place.
 */
export function toUnknownVariants(dictionary: Dictionary, path: string): readonly LiteralVariant[] {
  // What stands behind a smaller or greater sign is tried where the value becomes a number.
  const numbers = toNumberVariants(dictionary, path).filter((literal) => literal.isNear && !literal.isOrdered)
  const words = memoize(dictionary, { kind: 'word', name: nameOf(path) }, (name) =>
    dictionary.words.flatMap((literal, key) =>
      isNear(literal, name) ? [{ kind: 'word' as const, key, isNear: true, value: literal.value }] : [],
    ),
  )
  const name = nameOf(path)
  const forms = toTextForms(dictionary, { name, schema: anything, usual: () => name })
  const dates = dictionary.readsDates ? toTextForms(dictionary, { name, schema: anyDate, usual: () => name }) : []
  const long = toLongTexts(dictionary, path, anything)
  return [...toTextVariants(dictionary, path), ...numbers, ...words, ...forms, ...dates, ...long]
}

/**
 * Returns the numbers of the source text, and those beside them, that a place can have.
 *
 * @param dictionary - The literals.
 * @param path - The place.
 * @param schema - The place's schema; a number that does not fit is left out.
 */
export function toNumberVariants(
  dictionary: Dictionary,
  path: string,
  schema: JsonObject = {},
): readonly NumberVariant[] {
  const isAllowed = toFilter(schema, bounds)
  const all = toNumbers(dictionary, path).values
  return isAllowed === any ? all : all.filter(({ value }) => isAllowed(value))
}

/**
 * Returns the lengths that numbers of the source text suggest for a list.
 *
 * @param dictionary - The literals.
 * @param path - The list.
 * @param range - How many items it can have.
 */
export function toLengthVariants(
  dictionary: Dictionary,
  path: string,
  { low, high }: { readonly low: number; readonly high: number },
): (LiteralVariant & { readonly value: number })[] {
  if (dictionary.numbers.length === 0) return []
  return toNumbers(dictionary, path).lengths.filter(
    ({ value }) => Number.isInteger(value) && value >= Math.max(low, 0) && value <= high,
  )
}

/** A number that a literal of the source text stands for. */
export type NumberVariant = LiteralVariant & { readonly value: number }

/** The numbers in the order in which they are tried: an item's own index is seldom its value, but often tells a length. */
interface Numbers {
  readonly values: readonly NumberVariant[]
  readonly lengths: readonly NumberVariant[]
}

function toNumbers(dictionary: Dictionary, path: string): Numbers {
  return memoize(dictionary, { kind: 'number', name: nameOf(path) }, (name) => {
    const found = new Map<number, NumberVariant>()
    const tried = dictionary.numbers.flatMap((literal) => aroundLiteral(literal).map((value) => ({ literal, value })))
    for (const [at, { literal, value }] of tried.entries()) {
      const known = found.get(value)
      // What two literals suggest stands beside the name where one of them does.
      if (known?.isNear) continue
      const key = known?.key ?? at
      const isOrdered = literal.isOrdered && (known?.isOrdered ?? true)
      const isIndex = literal.isIndex === true && (known?.isIndex ?? true)
      found.set(value, { kind: 'number', key, isNear: isNear(literal, name), value, isOrdered, isIndex })
    }
    for (const [at, value] of toNumberForms(dictionary, name).entries())
      found.set(value, { kind: 'number', key: -1 - at, isNear: true, value })
    const all = [...found.values()]
    const [indexes, others] = [all.filter(({ isIndex }) => isIndex), all.filter(({ isIndex }) => !isIndex)]
    return { values: [...others, ...indexes], lengths: [...indexes, ...others] }
  })
}

function isNear(literal: Literal<unknown>, name: string): boolean {
  return literal.isCompared && literal.names.has(name)
}
