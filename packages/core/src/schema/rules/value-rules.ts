import { isObject, type JsonObject } from '@trestle/protocol'
import { anything, leafRule, type RuleCompiler } from './rule.ts'

type Test = (value: unknown) => boolean

const typeTests: Readonly<Record<string, Test>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => typeof value === 'number' && value % 1 === 0,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
}

/** The keywords for any value, for strings and for numbers. */
export const valueRules: Readonly<Record<string, RuleCompiler>> = {
  type(schema, context) {
    const type = schema['type']
    const tests = (Array.isArray(type) ? type : [type]).map((name) => typeTests[String(name)])
    const [first, second] = tests
    if (!first) return context.refuse()
    if (tests.length === 1) return leafRule(schema, 'type', first)
    if (tests.length === 2 && second) return leafRule(schema, 'type', (value) => first(value) || second(value))
    return leafRule(schema, 'type', (value) => tests.some((test) => test?.(value)))
  },
  const(schema, context) {
    const wanted = schema['const']
    if (wanted === undefined) return anything
    return isPrimitive(wanted) ? leafRule(schema, 'const', (value) => value === wanted) : context.refuse()
  },
  enum(schema, context) {
    const values = schema['enum']
    if (!Array.isArray(values) || !values.every(isPrimitive)) return context.refuse()
    return leafRule(schema, 'enum', (value) => values.includes(value))
  },
  minLength: (schema) => lengthRule(schema, 'minLength'),
  maxLength: (schema) => lengthRule(schema, 'maxLength'),
  pattern(schema) {
    const pattern = new RegExp(String(schema['pattern']), 'u')
    return leafRule(schema, 'pattern', (value) => typeof value !== 'string' || pattern.test(value))
  },
  format(schema, context) {
    const test = context.format(String(schema['format']))
    return test ? leafRule(schema, 'format', (value) => typeof value !== 'string' || test(value)) : anything
  },
  minimum: (schema) => numberRule(schema, 'minimum', (value, limit) => value >= limit),
  maximum: (schema) => numberRule(schema, 'maximum', (value, limit) => value <= limit),
  exclusiveMinimum: (schema) => numberRule(schema, 'exclusiveMinimum', (value, limit) => value > limit),
  exclusiveMaximum: (schema) => numberRule(schema, 'exclusiveMaximum', (value, limit) => value < limit),
}

function isPrimitive(value: unknown): boolean {
  return value === null || typeof value !== 'object'
}

function numberRule(
  schema: JsonObject,
  keyword: string,
  test: (value: number, limit: number) => boolean,
): ReturnType<RuleCompiler> {
  const limit = Number(schema[keyword])
  return leafRule(schema, keyword, (value) => typeof value !== 'number' || test(value, limit))
}

function lengthRule(schema: JsonObject, keyword: 'minLength' | 'maxLength'): ReturnType<RuleCompiler> {
  const limit = Number(schema[keyword])
  return leafRule(schema, keyword, (value) => {
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
