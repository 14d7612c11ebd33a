import { publishSchema, readSchema } from '@trestle/json-schema'
import type { JsonObject } from '@trestle/protocol'
import { arktypeAdapter } from './arktype-adapter.ts'
import { loadSchemaPackage, type SchemaPackage } from './schema-packages.ts'
import type { StandardSchema } from './standard-schema.ts'
import { stripVendorKeywords } from './strip-vendor-keywords.ts'
import { type VendorAdapter, valibotAdapter, zod3Adapter, zodAdapter } from './vendor-adapters.ts'

/** Converts a schema to JSON Schema; throws if that is impossible. */
export type JsonSchemaView = () => unknown

/**
 * Finds the conversion of a schema to JSON Schema, and loads the library's package if needed.
 *
 * @throws Error - No conversion exists, or its package is not installed; the message names the package.
 */
export function prepareJsonSchema(schema: StandardSchema): JsonSchemaView | Promise<JsonSchemaView> {
  const { vendor, jsonSchema } = schema['~standard']
  const view = viewOf(schema)
  if (view?.package) return loadView(schema, view, view.package)
  if (view) return () => view.show(schema, {})
  if (jsonSchema) return () => jsonSchema.input({ target: 'draft-2020-12' })
  throw new Error(`This version of ${vendor} cannot convert its schemas to JSON Schema; ${adviceFor(schema)}.`)
}

function adviceFor(schema: StandardSchema): string {
  if (schema['~standard'].vendor !== 'zod')
    return 'use a version, or a function of it, that supports Standard JSON Schema'
  // Zod Mini has functions instead of methods, such as this one.
  return `${'optional' in schema ? '' : 'use z.toJSONSchema(schema, { io: "input" }): '}Zod 4.2 or newer can`
}

function viewOf(schema: StandardSchema): VendorAdapter | undefined {
  const { vendor, jsonSchema } = schema['~standard']
  if (vendor === 'arktype' && 'toJsonSchema' in schema) return arktypeAdapter
  if (vendor === 'zod' && '_zod' in schema) return jsonSchema && zodAdapter
  if (jsonSchema) return undefined
  if (vendor === 'zod') return zod3Adapter
  return vendor === 'valibot' ? valibotAdapter : undefined
}

async function loadView(schema: StandardSchema, { show }: VendorAdapter, name: SchemaPackage): Promise<JsonSchemaView> {
  try {
    const module = await loadSchemaPackage(name)
    return () => show(schema, module)
  } catch (cause) {
    const { vendor } = schema['~standard']
    throw new Error(`Schemas of this version of ${vendor} need the package ${name}: npm install ${name}`, { cause })
  }
}

/**
 * Returns the input view of a schema, as published.
 *
 * @param prepared - The result of {@link prepareJsonSchema}, if it was awaited.
 * @throws Error - The schema cannot be converted; the message contains the field.
 */
export function toJsonSchema(schema: StandardSchema, prepared: JsonSchemaView | undefined): JsonObject {
  const view = prepared ?? prepareJsonSchema(schema)
  if (view instanceof Promise) {
    view.catch(() => {})
    throw new Error(`The JSON Schema of a ${schema['~standard'].vendor} schema was requested before it was prepared.`)
  }
  const read = readSchema(view())
  if (read.fault !== undefined) throw new Error(`The schema cannot be converted to JSON Schema: ${read.fault}.`)
  return publishSchema(stripVendorKeywords(read.schema))
}
