import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import type { Schema } from './plain-schema.ts'

/** Checks a value against a schema with an independent implementation. */
export const accepts = (schema: Schema, value: unknown): boolean =>
  new Validator(schema as never, '2020-12', false).validate(value).valid

const name = fc.constantFrom('a', 'b', 'type', '__proto__', 'title')
const small = fc.integer({ min: 0, max: 3 })
const scalar = fc.oneof(
  fc.constantFrom('', 'x', 'xy', 'xyz', 'a'),
  fc.integer({ min: -2, max: 4 }),
  fc.constantFrom(0.5, 1.5),
  fc.boolean(),
  fc.constant(null),
)
const optional = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: undefined, freq: 2 })
const strip = (object: object): Schema => JSON.parse(JSON.stringify(object)) as Schema
const fields = <T>(arb: fc.Arbitrary<T>) => fc.dictionary(name, arb, { maxKeys: 3, noNullPrototype: true })

export const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(true, false, {}),
    fc
      .record({
        type: fc.constant('string'),
        minLength: optional(small),
        maxLength: optional(small),
        pattern: optional(fc.constantFrom('^x', 'y')),
      })
      .map(strip),
    fc
      .record({
        type: fc.constantFrom('number', 'integer'),
        minimum: optional(small),
        maximum: optional(small),
        exclusiveMinimum: optional(small),
        exclusiveMaximum: optional(small),
        multipleOf: optional(fc.constantFrom(1, 2, 3, 0.5)),
      })
      .map(strip),
    fc.record({
      type: fc.constantFrom('boolean', 'null', ['string', 'null'], ['integer', 'string'], ['number', 'boolean']),
    }),
    fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
    fc.record({ const: scalar }),
    fc
      .record({
        type: optional(fc.constant('array')),
        items: optional(tie('schema')),
        prefixItems: optional(fc.array(tie('schema'), { maxLength: 2 })),
        minItems: optional(small),
        maxItems: optional(small),
        uniqueItems: optional(fc.boolean()),
        contains: optional(tie('schema')),
      })
      .map(strip),
    fc
      .record({
        type: optional(fc.constant('object')),
        properties: optional(fields(tie('schema'))),
        required: optional(fc.uniqueArray(name, { maxLength: 2 })),
        additionalProperties: optional(tie('schema')),
        patternProperties: optional(fc.record({ '^a': tie('schema') })),
        minProperties: optional(small),
        maxProperties: optional(small),
        propertyNames: optional(fc.constantFrom({ maxLength: 1 }, true)),
        dependentRequired: optional(fc.constant({ a: ['b'] })),
      })
      .map(strip),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc
      .record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), type: optional(fc.constant('object')) })
      .map(strip),
    fc.record({ not: tie('schema') }),
    fc.record({ if: tie('schema'), then: tie('schema') }),
    fc.record({ $defs: fc.record({ item: tie('schema') }), $ref: fc.constant('#/$defs/item') }),
  ),
}))

/** Moves the definitions to the root, because references resolve against the whole document. */
export function toDocument(value: Schema): Schema {
  const defs: Record<string, unknown> = {}
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node).filter(([key]) => key !== '$defs')
    const copy = Object.fromEntries(entries.map(([key, inner]) => [key, walk(inner)]))
    if (!('$ref' in node)) return copy
    const id = `d${Object.keys(defs).length}`
    defs[id] = true
    defs[id] = walk((node as { $defs?: { item: unknown } }).$defs?.item ?? true)
    return { ...copy, $ref: `#/$defs/${id}` }
  }
  const root = walk(value)
  return typeof root === 'object' ? ({ ...(root as object), $defs: defs } as Schema) : (root as Schema)
}

/** Any JSON value, built from the names and scalars that the schemas use. */
export const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fields(tie('value')),
  ),
})).value
