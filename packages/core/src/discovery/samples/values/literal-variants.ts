import type { JsonObject } from '@trestle/protocol'
import { compileSchema } from '../../../schema/compile-schema.ts'
import type { Schema } from '../../../schema/schema-types.ts'
import type { Dictionary, Literal } from '../../dictionary/dictionary.ts'
import type { LiteralValue } from './variation.ts'

/** A value that a literal of the source text stands for. */
export interface LiteralVariant extends LiteralValue {
  readonly value: string | number
}

// In the order in which they are tried: beyond the literal, below it, the literal itself.
const steps: readonly number[] = [1, -1, 0]
const bounds: ReadonlySet<string> = new Set([
  ...['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['multipleOf', 'not', 'type'],
])

/**
 * Returns the texts of the source text that a place can have.
 *
 * @param dictionary - The literals.
 * @param path - The place.
 * @param schema - The place's schema; a text that does not fit is left out.
 */
export function toTextVariants(dictionary: Dictionary, path: string, schema: JsonObject = {}): LiteralVariant[] {
  const isAllowed = toFilter(schema, ['format', 'pattern', 'minLength', 'maxLength', 'not'])
  const name = nameOf(path)
  return dictionary.texts.flatMap((literal, key) =>
    isAllowed(literal.value)
      ? [{ kind: 'text' as const, key, isNear: isNear(literal, name), value: literal.value }]
      : [],
  )
}

/**
 * Returns the numbers of the source text, and those beside them, that a place can have.
 *
 * @param dictionary - The literals.
 * @param path - The place.
 * @param schema - The place's schema; a number that does not fit is left out.
 */
export function toNumberVariants(dictionary: Dictionary, path: string, schema: JsonObject = {}): LiteralVariant[] {
  const isAllowed = toFilter(schema, [...bounds])
  return toNumbers(dictionary, path).filter(({ value }) => isAllowed(value))
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
  return toNumbers(dictionary, path).filter(
    ({ value }) => Number.isInteger(value) && value >= Math.max(low, 0) && value <= high,
  )
}

function toNumbers(dictionary: Dictionary, path: string): (LiteralVariant & { readonly value: number })[] {
  const name = nameOf(path)
  const seen = new Set<number>()
  return dictionary.numbers.flatMap((literal, index) =>
    steps.flatMap((step, at) => {
      const value = literal.value + step
      if (seen.has(value)) return []
      seen.add(value)
      const key = index * steps.length + at
      return [{ kind: 'number' as const, key, isNear: isNear(literal, name), value }]
    }),
  )
}

function isNear(literal: Literal<unknown>, name: string): boolean {
  return literal.isCompared && literal.names.has(name)
}

/** The name under which code reads a place: without the numbers of items and without what marks a place's parts. */
function nameOf(path: string): string {
  const names = path.split('/').map((part) => part.replace(/[?|#(.].*$/, ''))
  return names.findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? path
}

function toFilter(schema: JsonObject, keywords: readonly string[]): (value: unknown) => boolean {
  const own = keywords.filter((keyword) => Object.hasOwn(schema, keyword))
  if (own.length === 0) return () => true
  try {
    const compiled = compileSchema(Object.fromEntries(own.map((keyword) => [keyword, schema[keyword]])) as Schema)
    return (value) => {
      const verdict = compiled.check(value)
      return verdict instanceof Promise || verdict.issues === undefined
    }
  } catch {
    return () => true
  }
}
