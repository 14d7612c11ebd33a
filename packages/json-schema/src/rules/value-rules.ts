import { isObject } from '@trestle/protocol'
import { findFormat } from '../formats/formats.ts'
import { toJsonKey } from './json-key.ts'
import { anything, leafRule, type Rule, type RuleCompiler, type SchemaContext } from './rule.ts'

type Test = Rule['accepts']

const typeTests: Readonly<Record<string, Test>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => typeof value === 'number' && value % 1 === 0,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
}

/** Returns whether a value has the type, or one of the types, that a schema requires. */
export function hasType(value: unknown, type: unknown): boolean {
  return (Array.isArray(type) ? type : [type]).some((name) => typeTests[String(name)]?.(value))
}

/** The keywords for any value, for strings and for numbers. */
export const valueRules: Readonly<Record<string, RuleCompiler>> = {
  type(context) {
    const { type } = context.schema
    const tests = (Array.isArray(type) ? type : [type]).map((name) => typeTests[String(name)])
    const [first, second] = tests
    if (tests.length === 1 && first) return leafRule(context, 'type', first)
    if (tests.length === 2 && first && second)
      return leafRule(context, 'type', (value) => first(value) || second(value))
    return leafRule(context, 'type', (value) => hasType(value, type))
  },
  const: (context) => leafRule(context, 'const', oneOfValues([context.schema['const']])),
  enum: (context) => leafRule(context, 'enum', oneOfValues(context.schema['enum'] as readonly unknown[])),
  minLength: (context) => lengthRule(context, 'minLength'),
  maxLength: (context) => lengthRule(context, 'maxLength'),
  pattern(context) {
    const pattern = new RegExp(String(context.schema['pattern']), 'u')
    return leafRule(context, 'pattern', (value) => typeof value !== 'string' || pattern.test(value))
  },
  format(context) {
    const test = findFormat(String(context.schema['format']))
    return test ? leafRule(context, 'format', (value) => typeof value !== 'string' || test(value)) : anything
  },
  minimum: (context) => numberRule(context, 'minimum', (value, limit) => value >= limit),
  maximum: (context) => numberRule(context, 'maximum', (value, limit) => value <= limit),
  exclusiveMinimum: (context) => numberRule(context, 'exclusiveMinimum', (value, limit) => value > limit),
  exclusiveMaximum: (context) => numberRule(context, 'exclusiveMaximum', (value, limit) => value < limit),
  multipleOf: (context) => numberRule(context, 'multipleOf', isMultipleOf),
}

function oneOfValues(values: readonly unknown[]): Test {
  if (!values.some(isStructured)) {
    const [only] = values
    return values.length === 1 ? (value) => value === only : (value) => values.includes(value)
  }
  const structuredKeys = new Set(values.filter(isStructured).map(toJsonKey))
  return (value) => (isStructured(value) ? structuredKeys.has(toJsonKey(value)) : values.includes(value))
}

function isStructured(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function numberRule(context: SchemaContext, keyword: string, test: (value: number, limit: number) => boolean): Rule {
  const limit = Number(context.schema[keyword])
  return leafRule(context, keyword, (value) => typeof value !== 'number' || test(value, limit))
}

function lengthRule(context: SchemaContext, keyword: 'minLength' | 'maxLength'): Rule {
  const limit = Number(context.schema[keyword])
  return leafRule(context, keyword, (value) => {
    if (typeof value !== 'string') return true
    // A string of n code units has between n / 2 and n code points, so most strings need not be counted.
    if (keyword === 'minLength') {
      return value.length >= limit && (value.length >= limit * 2 || countCodePoints(value) >= limit)
    }
    return value.length <= limit || (value.length <= limit * 2 && countCodePoints(value) <= limit)
  })
}

function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** A decimal number: digits × 10 ^ exponent. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/** Returns whether a number is a multiple of another one, without rounding: 0.3 is a multiple of 0.1. */
function isMultipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value) || !(divisor > 0)) return false
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  const [dividend, by] = [toDecimal(value), toDecimal(divisor)]
  const shift = dividend.exponent - by.exponent
  return shift >= 0
    ? (dividend.digits * 10n ** BigInt(shift)) % by.digits === 0n
    : dividend.digits % (by.digits * 10n ** BigInt(-shift)) === 0n
}

/** Reads the shortest decimal form of a number, which is the one in the JSON text. */
function toDecimal(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}
