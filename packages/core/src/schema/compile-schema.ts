import { compileJsonSchema } from './compile-json-schema.ts'
import { compileStandardSchema } from './compile-standard-schema.ts'
import type { CompiledSchema } from './compiled-schema.ts'
import type { Schema } from './schema-types.ts'
import type { StandardSchema } from './vendors/standard-schema.ts'

const absent: CompiledSchema = Object.freeze({
  given: false,
  transforms: false,
  prepare() {},
  jsonSchema: () => ({}),
  check: (value: unknown) => ({ value }),
  fill: (value: unknown) => value,
})

/**
 * Compiles a schema of any supported kind to a common form.
 *
 * @param schema - JSON Schema (including TypeBox), or a schema that implements Standard Schema; `undefined` for none.
 * @throws TypeError - The value is not a schema; the message describes the problem and its location.
 */
export function compileSchema(schema: Schema | undefined): CompiledSchema {
  if (schema === undefined) return absent
  if (isStandard(schema)) return compileStandardSchema(schema)
  if (typeof schema === 'boolean' || (typeof schema === 'object' && schema !== null)) return compileJsonSchema(schema)
  throw new TypeError(
    `A schema must be JSON Schema, or come from a Standard Schema library (Zod, Valibot, ArkType, ...); this is ${describe(schema)}.`,
  )
}

/** Returns whether a value implements Standard Schema. Some such schemas are functions. */
export function isStandard(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false
  const standard: unknown = Reflect.get(schema, '~standard')
  return typeof standard === 'object' && standard !== null && typeof Reflect.get(standard, 'validate') === 'function'
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'function') return `a function${value.name ? ` named ${value.name}` : ''}`
  return `a ${typeof value}`
}
