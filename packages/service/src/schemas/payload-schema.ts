import { decodePercent, findPath, isObject, type JsonObject, schemaDataKeywords, splitPointer } from '@trestle/protocol'

/** An error that a schema finds in a value. */
export interface SchemaFault {
  /** The field, with path segments joined by dots; empty for the value itself. */
  readonly field: string
  /** The reason for the rejection. */
  readonly message: string
  /** JSON pointer to the rule, from the root of the schema. */
  readonly schemaPath: string
  /** The rejected value, if the field has one that is not large. */
  readonly value?: unknown
}

/** An error in the schema itself, such as a dangling reference, so that no value can be validated against it. */
class UnusableSchemaError extends Error {
  override readonly name = 'UnusableSchemaError'
}

interface PayloadSchema {
  findFaults(value: unknown): readonly SchemaFault[]
}

/** The result of a validation: errors in the value, or why the schema is unusable. */
export type SchemaAnswer = { readonly faults: readonly SchemaFault[] } | { readonly unusable: string }

type Library = typeof import('@cfworker/json-schema')
type Unit = ReturnType<Library['validate']>['errors'][number]

const keptSchemas = 200
const maxFaults = 50
const maxShown = 200
const kept = new Map<string, PayloadSchema>()

/**
 * Validates a value against a JSON Schema of draft 4, 7, 2019-09 or 2020-12. Runs in the sandbox, because a pattern may
 * take forever.
 *
 * @param given - The schema as JSON, and the value.
 */
export function findFaults(given: { readonly schema: string; readonly value: unknown }): Promise<SchemaAnswer> {
  return orUnusable(async () => (await read(given.schema)).findFaults(given.value))
}

/** Checks whether values can be validated against a schema. */
export function checkSchema({ schema }: { readonly schema: string }): Promise<SchemaAnswer> {
  return orUnusable(async () => {
    await read(schema)
    return []
  })
}

async function orUnusable(work: () => Promise<readonly SchemaFault[]>): Promise<SchemaAnswer> {
  try {
    return { faults: await work() }
  } catch (error) {
    if (error instanceof UnusableSchemaError) return { unusable: error.message }
    throw error
  }
}

/** The most recently used schemas are cached. */
async function read(text: string): Promise<PayloadSchema> {
  const cachedSchema = kept.get(text)
  if (cachedSchema) return cachedSchema
  // Loaded with the first schema: bridges validate most workflows.
  const library = await import('@cfworker/json-schema')
  const compiled = compile(JSON.parse(text), library)
  const oldest = kept.keys().next().value
  if (kept.size >= keptSchemas && oldest !== undefined) kept.delete(oldest)
  kept.set(text, compiled)
  return compiled
}

function compile(given: unknown, library: Library): PayloadSchema {
  const schema = withoutPitfalls(given, library.format) as JsonObject | boolean
  const draft = draftOf(schema)
  const lookup = attempt(() => library.dereference(schema))
  for (const part of Object.values(lookup)) if (isObject(part)) checkPart(part, lookup)
  return {
    findFaults(value) {
      const { errors } = attempt(() => library.validate(value, schema, draft, lookup, false))
      const units = errors.filter(({ keyword, keywordLocation }) => !isWrapper(keyword, keywordLocation))
      return (units.length > 0 ? units : errors).slice(0, maxFaults).map((unit) => toFault(unit, value))
    },
  }
}

function draftOf(schema: JsonObject | boolean): '4' | '7' | '2019-09' | '2020-12' {
  const uri = isObject(schema) ? String(schema['$schema'] ?? '') : ''
  if (uri.includes('draft-04')) return '4'
  if (uri.includes('2019-09')) return '2019-09'
  return /draft-0[67]/.test(uri) ? '7' : '2020-12'
}

const endless = 'it refers to itself endlessly, or its references multiply'

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    // A RangeError is a stack overflow, or more faults than one call accepts as arguments.
    const reason = error instanceof RangeError ? endless : String((error as Error).message)
    throw new UnusableSchemaError(reason, { cause: error })
  }
}

function checkPart(part: JsonObject, lookup: Readonly<Record<string, unknown>>): void {
  const target = Reflect.get(part, '__absolute_ref__') ?? part['$ref']
  if (typeof target === 'string' && !Object.hasOwn(lookup, target) && !Object.hasOwn(lookup, String(part['$ref'])))
    throw new UnusableSchemaError(`the reference ${JSON.stringify(part['$ref'])} does not exist`)
  const { pattern, patternProperties } = part
  const patterns = [...(typeof pattern === 'string' ? [pattern] : []), ...Object.keys(patternProperties ?? {})]
  for (const source of patterns)
    if (!isPattern(source)) throw new UnusableSchemaError(`${JSON.stringify(source)} is not a regular expression`)
}

function isPattern(source: string): boolean {
  try {
    return Boolean(new RegExp(source, 'u'))
  } catch {
    return false
  }
}

// Keywords that only report a failure inside them, which is listed separately.
const wrappers: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'items', 'prefixItems', 'additionalItems', 'allOf', '$ref', '$recursiveRef'],
  ...['if', 'dependentSchemas', 'propertyNames', 'unevaluatedItems', 'false'],
])

const isWrapper = (keyword: string, location: string): boolean =>
  wrappers.has(keyword) || /\/(anyOf|oneOf)\/\d+/.test(location)

function toFault({ keyword, keywordLocation, instanceLocation, error }: Unit, root: unknown): SchemaFault {
  const keys = splitPointer(decodePercent(instanceLocation))
  const name = /[Pp]roperty "(.*)"( does not match.*)?\.$/s.exec(error)?.[1]
  const isMissing = keyword === 'required' && name !== undefined
  const isUnknown = /^(additional|unevaluated)Properties$/.test(keyword) && name !== undefined
  const path = isMissing || isUnknown ? [...keys, name] : keys
  const value = findPath(root, path)
  const [, wanted] = (keyword === 'type' && /Expected (.*)\.$/s.exec(error)) || []
  const errorText = wanted === undefined ? error : `must be ${wanted.replaceAll('"', '')}`
  const message = isMissing ? 'is required' : isUnknown ? 'is not a field of the payload' : errorText
  const isShown = value !== undefined && JSON.stringify(value).length <= maxShown
  return { field: path.join('.'), message, schemaPath: keywordLocation, ...(isShown && { value }) }
}

const webAddress = '^https?://[^\\s/?#]+[^\\s]*$'

/** The library looks up unknown formats on `Object.prototype`, and takes exponential time for the format `url`. */
function withoutPitfalls(schema: unknown, formats: object): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutPitfalls(item, formats))
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (schemaDataKeywords.has(key)) return [[key, value]]
    if (key !== 'format' || typeof value !== 'string') return [[key, withoutPitfalls(value, formats)]]
    if (value === 'url') return schema['pattern'] === undefined ? [['pattern', webAddress]] : []
    return Object.hasOwn(formats, value) ? [[key, value]] : []
  })
  return Object.fromEntries(entries)
}
