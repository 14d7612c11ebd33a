import type { JsonObject } from '@trestle/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { stepKinds } from '../workflow/steps/step-kinds.ts'
import { compileSchema } from './compile-schema.ts'
import { toSchemaOutline } from './schema-outline.ts'
import type { Schema } from './schema-types.ts'

const outputs = Object.entries(stepKinds).flatMap(([kind, { output }]): [string, JsonObject][] =>
  output ? [[kind, output as JsonObject]] : [],
)

const accepts = (schema: JsonObject, value: unknown): boolean => {
  const verdict = compileSchema(schema as Schema).check(value)
  if (verdict instanceof Promise) throw new Error('the schema is asynchronous')
  return !verdict.issues
}

/** Generates objects of each form, with some optional fields, and occasionally with an invalid part. */
function valuesOf(schema: JsonObject): fc.Arbitrary<JsonObject> {
  const forms = (schema['oneOf'] as JsonObject[] | undefined) ?? [schema]
  return fc.oneof(
    ...forms.map(({ properties = {}, required = [] }) => {
      const fields = Object.entries(properties as Record<string, JsonObject>).map(([name, field]) => [
        name,
        fc.oneof({ weight: 19, arbitrary: fieldValue(field) }, { weight: 1, arbitrary: wrong }),
      ])
      return fc.record(Object.fromEntries(fields), { requiredKeys: required as string[] }) as fc.Arbitrary<JsonObject>
    }),
  )
}

const wrong = fc.constantFrom<unknown>('', 'other', -1, 0, true, null, {}, [])

function fieldValue(field: JsonObject): fc.Arbitrary<unknown> {
  if ('const' in field) return fc.constant(field['const'])
  if (Array.isArray(field['enum'])) return fc.constantFrom(...field['enum'])
  if (field['format'] === 'cron') return fc.constantFrom('0 9 * * *', '*/5 * * * 1')
  const values: Record<string, fc.Arbitrary<unknown>> = {
    string: fc.constantFrom('https://example.com/a', 'text'),
    boolean: fc.boolean(),
    number: fc.integer({ min: 1, max: 90 }),
    integer: fc.integer({ min: 1, max: 90 }),
  }
  const plain = values[String([field['type']].flat()[0])]
  return plain ?? ('properties' in field ? valuesOf(field) : fc.constant({}))
}

describe('the outline of an output', () => {
  it.each(outputs)('accepts everything that the schema of %s accepts', (_kind, schema) => {
    const outline = toSchemaOutline(schema)
    const runs = draws(100, 2000)
    let accepted = 0
    const seen = (value: JsonObject): void => {
      if (!accepts(schema, value)) return
      accepted++
      expect(accepts(outline, value)).toBe(true)
    }
    fc.assert(fc.property(valuesOf(schema), seen), { numRuns: runs, seed: 7 })
    // Without such schemas, the test would check nothing.
    expect(accepted).toBeGreaterThan(runs / 25)
  })

  it.each([
    ['delay', {}],
    ['delay', { amount: 1 }],
    ['delay', { amount: 1, unit: 'hours', cron: '0 9 * * *' }],
    ['delay', { type: 'other', cron: '0 9 * * *' }],
    ['digest', { amount: 1, unit: 'eons' }],
    ['throttle', { type: 'fixed' }],
    ['email', { subject: 'no body' }],
  ])('rejects invalid values for %s: %j', (kind, value) => {
    const [, schema = {}] = outputs.find(([name]) => name === kind) ?? []
    expect(accepts(toSchemaOutline(schema), value)).toBe(false)
  })

  it('names each field once, and omits messages', () => {
    const [, delay = {}] = outputs.find(([name]) => name === 'delay') ?? []
    expect(toSchemaOutline(delay)).toEqual({
      type: 'object',
      properties: {
        type: { enum: ['regular', 'timed', 'dynamic'] },
        amount: { type: 'number', minimum: 0 },
        unit: { enum: ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'] },
        extendToSchedule: { type: 'boolean' },
        cron: { type: 'string', format: 'cron' },
        dynamicKey: { type: 'string', minLength: 1 },
      },
      oneOf: [{ required: ['amount', 'unit'] }, { required: ['cron'] }, { required: ['dynamicKey'] }],
    })
  })

  it('does not change other schemas', () => {
    const open = { type: 'object', properties: { a: { type: 'string' } } }
    const mixed = { oneOf: [{ type: 'string' }, { type: 'number' }] }
    expect([toSchemaOutline(open), toSchemaOutline(mixed)]).toEqual([open, mixed])
  })
})
