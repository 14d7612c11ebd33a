import { findReference } from './reference.ts'
import { isObject, joinPath } from './rule.ts'

const maxDepth = 100
const types: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])
const single = ['additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else', 'additionalItems']
const singles = [...single, 'unevaluatedProperties', 'unevaluatedItems']
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const data = ['default', 'const', 'enum', 'examples']
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const keywords: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$ref', '$anchor', '$comment', '$dynamicRef', 'type', 'const', 'enum', 'required', 'items'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains', 'minProperties'],
  ...['maxProperties', 'dependentRequired', 'dependencies', 'title', 'description', 'default', 'examples'],
  ...['deprecated', 'readOnly', 'writeOnly', 'contentEncoding', 'contentMediaType', 'contentSchema', 'nullable'],
  ...[...singles, ...lists, ...maps],
])

/**
 * Tells what makes a value no JSON Schema, or one that nothing could be checked with.
 *
 * @param schema - What the user gave.
 * @returns A sentence with the place, or `undefined` when all is well.
 */
export function findSchemaFault(schema: unknown): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isObject(schema)) return 'it is not an object'
  const keys = Object.keys(schema)
  if (keys.length > 0 && !keys.some((key) => keywords.has(key) || key.startsWith('x-'))) {
    return `none of its keys is a keyword of JSON Schema: ${keys.slice(0, 5).join(', ')}`
  }
  return findFault(schema, '', { root: schema, named: hasOwnNames(schema) })
}

/** The whole document, and whether its parts have names of their own. */
interface Document {
  readonly root: unknown
  readonly named: boolean
}

function findFault(schema: unknown, path: string, root: Document): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isObject(schema)) return `${at(path)} must be a schema (an object or a boolean)`
  if (path.split('/').length > maxDepth) return `${at(path)} is nested too deep, or refers to itself`
  return findOwnFault(schema, path, root) ?? findInnerFault(schema, path, root)
}

function findOwnFault(
  schema: Readonly<Record<string, unknown>>,
  path: string,
  { root, named }: Document,
): string | undefined {
  const { type, pattern, required, enum: values, $ref } = schema
  const all = Array.isArray(type) ? type : type === undefined ? [] : [type]
  const wrong = all.find((name) => !types.has(name))
  if (wrong !== undefined) return `${at(path)} has the type ${JSON.stringify(wrong)}, which JSON does not know`
  if (pattern !== undefined && !isPattern(pattern)) return `${at(path)} has a pattern that is no regular expression`
  const odd = data.find((keyword) => !isJson(schema[keyword]))
  if (odd) return `${at(path)} has a value as its ${odd} that JSON does not know`
  if (values !== undefined && !Array.isArray(values)) return `${at(path)} must have a list as its enum`
  if (required !== undefined && !isTextList(required)) return `${at(path)} must have a list of keys as required`
  if (typeof $ref === 'string' && !named && findReference(root, $ref) === undefined) {
    return `${at(path)} refers to ${$ref}, which is not in the schema`
  }
  return undefined
}

function findInnerFault(schema: Readonly<Record<string, unknown>>, path: string, root: Document): string | undefined {
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined) continue
    const inner = joinPath(path, keyword)
    if (singles.includes(keyword) || (keyword === 'items' && !Array.isArray(value))) {
      const fault = findFault(value, inner, root)
      if (fault) return fault
    } else if (lists.includes(keyword) || keyword === 'items') {
      if (!Array.isArray(value)) return `${at(inner)} must be a list of schemas`
      for (const [index, item] of value.entries()) {
        const fault = findFault(item, joinPath(inner, index), root)
        if (fault) return fault
      }
    } else if (maps.includes(keyword)) {
      if (!isObject(value)) return `${at(inner)} must be an object of schemas`
      for (const [key, item] of Object.entries(value)) {
        if (keyword === 'patternProperties' && !isPattern(key))
          return `${at(inner)} has a key that is no pattern: ${key}`
        const fault = findFault(item, joinPath(inner, key), root)
        if (fault) return fault
      }
    }
  }
  return undefined
}

function at(path: string): string {
  return path === '' ? 'it' : `"${path}"`
}

function isPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** References by name are left to the library. */
function hasOwnNames(root: unknown): boolean {
  try {
    return /"\$(id|anchor|dynamicAnchor|recursiveAnchor)":/.test(JSON.stringify(root))
  } catch {
    // What holds itself, or values JSON does not know, is found by the search.
    return false
  }
}

/** Tells whether a value is JSON, so that it can be published and copied. */
function isJson(value: unknown, levels: number = maxDepth): boolean {
  if (typeof value !== 'object' || value === null) return !['bigint', 'function', 'symbol'].includes(typeof value)
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === null || Array.isArray(value)
  return isPlain && levels > 0 && Object.values(value).every((item) => isJson(item, levels - 1))
}
