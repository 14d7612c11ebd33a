import { isObject } from '@trestle/protocol'
import { patternOf, putFlags } from './pattern-of.ts'
import type { SchemaPackage } from './schema-packages.ts'
import { findUnrepresentableField, unrepresentableFieldError } from './unrepresentable-field.ts'

type Data = Readonly<Record<string, unknown>>
type Call = (...given: unknown[]) => unknown

/** How to convert a library's schemas to JSON Schema, if its Standard JSON Schema is not enough. */
export interface VendorAdapter {
  /** The package that converts schemas, if the library itself does not. */
  readonly package?: SchemaPackage
  /**
   * @param module - The exports of the package; `{}` if there is none.
   * @throws Error - A field cannot be converted; the message contains it.
   */
  readonly show: (schema: unknown, module: Data) => unknown
}

/** The requested draft of JSON Schema. */
export const target = 'draft-2020-12'
// Zod types that have no JSON equivalent.
const hiddenKinds = new Set([
  'date',
  'bigint',
  'symbol',
  'undefined',
  'void',
  'map',
  'set',
  'function',
  'nan',
  'custom',
])
const hiddenTypes = new Set([
  ...['ZodDate', 'ZodBigInt', 'ZodSymbol', 'ZodUndefined', 'ZodVoid', 'ZodMap', 'ZodSet', 'ZodFunction', 'ZodNaN'],
  ...['ZodPromise'],
])

interface ZodRules {
  readonly coerce?: boolean
  /** The regular expression; Zod 3 and Zod 4 store it in different fields. */
  readonly pattern?: unknown
  readonly checks?: readonly { readonly regex?: unknown; readonly _zod?: { readonly def?: ZodRules } }[]
}

/** Zod 4.2 and later. */
export const zodAdapter: VendorAdapter = {
  show(schema) {
    const hidden: [field: string, kind: string][] = []
    const override = ({
      zodSchema,
      jsonSchema,
      path,
    }: {
      zodSchema: Data
      jsonSchema: object
      path: string[]
    }): void => {
      const def = Reflect.get(zodSchema['_zod'] as object, 'def') as ZodRules & { readonly type: string }
      const { type, coerce, checks = [] } = def
      if (type === 'string') putFlags(jsonSchema, [def.pattern, ...checks.map(({ _zod }) => _zod?.def?.pattern)])
      if (!hiddenKinds.has(type) || Object.keys(jsonSchema).length > 0) return
      if (type === 'date' && coerce) Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
      else hidden.push([toField(path), type])
    }
    const { jsonSchema } = (schema as { '~standard': { jsonSchema: { input: Call } } })['~standard']
    const inputSchema = jsonSchema.input({ target, libraryOptions: { unrepresentable: 'any', override } })
    const [first] = hidden
    if (first) throw unrepresentableFieldError(first[0], `a ${first[1]}`)
    return inputSchema
  },
}

export const zod3Adapter: VendorAdapter = {
  package: 'zod-to-json-schema',
  show(schema, module) {
    const postProcess = (jsonSchema: unknown, def: ZodRules & { typeName?: string }, refs: Data): unknown => {
      const { typeName = '', coerce, checks = [] } = def
      const expressions = checks.map(({ regex }) => regex)
      if (typeName === 'ZodString') putFlags(jsonSchema as object, expressions)
      if (!hiddenTypes.has(typeName)) return jsonSchema
      if (typeName === 'ZodDate' && coerce) return { type: 'string', format: 'date-time' }
      throw unrepresentableFieldError(toField(refs['currentPath'] as string[]), `a ${typeName.slice(3).toLowerCase()}`)
    }
    const strategies = { pipeStrategy: 'input', effectStrategy: 'input', removeAdditionalStrategy: 'strict' }
    return (module['zodToJsonSchema'] as Call)(schema, { ...strategies, postProcess })
  },
}

/**
 * Omits Valibot actions that JSON Schema cannot express, as other libraries do; the library still runs them. Only
 * values that JSON cannot represent make the conversion fail.
 */
function leaveOutAction({ valibotAction, jsonSchema, errors }: Data): unknown {
  if (!errors) return undefined
  const { type, requirement } = valibotAction as Data
  const { pattern, ...others } = jsonSchema as Data
  const isBare = type === 'regex' && requirement instanceof RegExp && pattern === requirement.source
  if (!isBare) return jsonSchema
  const flagless = patternOf(requirement)
  return flagless === undefined ? others : { ...others, pattern: flagless }
}

export const valibotAdapter: VendorAdapter = {
  package: '@valibot/to-json-schema',
  show(schema, module) {
    const convert = module['toJsonSchema'] as Call
    const settings = { typeMode: 'input', target, errorMode: 'throw', overrideAction: leaveOutAction }
    const show = (part: unknown): unknown => convert(part, settings)
    const fields = (part: unknown): [string, unknown][] => {
      const { entries, item, wrapped } = part as { entries?: Data; item?: unknown; wrapped?: unknown }
      if (wrapped) return fields(wrapped)
      return isObject(entries) ? Object.entries(entries) : item ? [['0', item]] : []
    }
    return showOrName(schema, show, fields)
  },
}

/**
 * Converts a schema, or throws an error that contains the field that prevents it.
 *
 * @param show - Converts a schema or a part of it; throws if that is impossible.
 * @param fields - The direct subschemas of a schema, by key.
 */
export function showOrName(
  schema: unknown,
  show: (schema: unknown) => unknown,
  fields: (schema: unknown) => [string, unknown][],
): unknown {
  try {
    return show(schema)
  } catch (cause) {
    const field = findUnrepresentableField(schema, { show, fields: (part) => fieldsIn(fields, part) })
    const why = cause instanceof Error ? cause.message : String(cause)
    const where = field === '' ? '' : ` the field "${field}":`
    throw new Error(`The schema cannot be converted to JSON Schema:${where} ${why}`, { cause })
  }
}

/** Returns the fields of a schema; none for a non-object, because ArkType throws if its fields are read. */
function fieldsIn(fields: (schema: unknown) => [string, unknown][], part: unknown): [string, unknown][] {
  try {
    return fields(part)
  } catch {
    return []
  }
}

/** Converts a path in a schema to a field: `properties, a, items, properties, b` becomes `/a/0/b`. */
function toField(path: readonly string[]): string {
  let field = ''
  for (let index = 0; index < path.length; index++) {
    if (path[index] === 'properties') field += `/${path[++index]}`
    else if (path[index] === 'items') field += '/0'
  }
  return field
}
