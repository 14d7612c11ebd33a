import { isObject } from '../../base/json.ts'
import { joinPath } from '../../base/json-pointer.ts'
import { findForeignObject } from './foreign-object.ts'
import { at } from './identifiers.ts'
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from './subschemas.ts'

const maxDepth = 100
const types: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])
const numbers = [
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems'],
  ...['maxItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties'],
]
const texts = ['$ref', '$dynamicRef', '$recursiveRef', '$id', '$anchor', '$dynamicAnchor', 'format']
const data = ['default', 'const', 'enum', 'examples']
const keywords: ReadonlySet<string> = new Set([
  ...[
    '$schema',
    '$id',
    '$ref',
    '$anchor',
    '$comment',
    '$dynamicRef',
    '$recursiveRef',
    'type',
    'const',
    'enum',
    'required',
    'items',
  ],
  ...['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains', 'minProperties'],
  ...['maxProperties', 'dependentRequired', 'dependencies', 'title', 'description', 'default', 'examples'],
  ...['deprecated', 'readOnly', 'writeOnly', 'contentEncoding', 'contentMediaType', 'contentSchema', 'nullable'],
  ...[...schemaKeywords, ...schemaListKeywords, ...schemaMapKeywords],
])

/**
 * Returns what keeps a value from being a usable JSON Schema.
 *
 * @param schema - What the user gave.
 * @returns A sentence with the place, or `undefined` when all is well.
 */
export function findSchemaFault(schema: unknown): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isObject(schema)) return 'it is not an object'
  const fault = findFault(schema, '')
  const keys = Object.keys(schema)
  if (fault !== undefined || keys.length === 0) return fault
  if (keys.some((key) => keywords.has(key) || key.startsWith('x-'))) return undefined
  return `none of its keys is a keyword of JSON Schema: ${keys.slice(0, 5).join(', ')}`
}

function findFault(schema: unknown, path: string): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isObject(schema)) return `${at(path)} must be a schema (an object or a boolean)`
  if (path.split('/').length > maxDepth) return `${at(path)} is nested too deep, or refers to itself`
  const foreign = findForeignObject(schema)
  if (foreign !== undefined) return `${at(path)} ${foreign}`
  return findOwnFault(schema, path) ?? findInnerFault(schema, path)
}

function findOwnFault(schema: Readonly<Record<string, unknown>>, path: string): string | undefined {
  const { type, pattern, required, enum: values } = schema
  const all = Array.isArray(type) ? type : type === undefined ? [] : [type]
  const wrong = all.find((name) => !types.has(name))
  if (wrong !== undefined) return `${at(path)} has the type ${JSON.stringify(wrong)}, which JSON does not know`
  if (pattern !== undefined && !isPattern(pattern)) return `${at(path)} has a pattern that is no regular expression`
  const noNumber = numbers.find((keyword) => !isLimit(keyword, schema[keyword]))
  if (noNumber) return `${at(path)} must have a number as its ${noNumber}`
  const noText = texts.find((keyword) => schema[keyword] !== undefined && typeof schema[keyword] !== 'string')
  if (noText) return `${at(path)} must have a text as its ${noText}`
  const odd = data.find((keyword) => !isJson(schema[keyword]))
  if (odd) return `${at(path)} has a value as its ${odd} that JSON does not know`
  if (values !== undefined && !Array.isArray(values)) return `${at(path)} must have a list as its enum`
  if (required !== undefined && !isTextList(required)) return `${at(path)} must have a list of keys as required`
  return undefined
}

function findInnerFault(schema: Readonly<Record<string, unknown>>, path: string): string | undefined {
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined) continue
    const inner = joinPath(path, keyword)
    if (schemaKeywords.has(keyword) || (keyword === 'items' && !Array.isArray(value))) {
      const fault = findFault(value, inner)
      if (fault) return fault
    } else if (schemaListKeywords.has(keyword) || keyword === 'items') {
      if (!Array.isArray(value)) return `${at(inner)} must be a list of schemas`
      for (const [index, item] of value.entries()) {
        const fault = findFault(item, joinPath(inner, index))
        if (fault) return fault
      }
    } else if (schemaMapKeywords.has(keyword)) {
      if (!isObject(value)) return `${at(inner)} must be an object of schemas`
      for (const [key, item] of Object.entries(value)) {
        if (keyword === 'patternProperties' && !isPattern(key))
          return `${at(inner)} has a key that is no pattern: ${key}`
        const fault = findFault(item, joinPath(inner, key))
        if (fault) return fault
      }
    }
  }
  return undefined
}

/** In draft 4 a limit is exclusive by a boolean beside it. */
function isLimit(keyword: string, value: unknown): boolean {
  return (
    value === undefined || Number.isFinite(value) || (keyword.startsWith('exclusive') && typeof value === 'boolean')
  )
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

/** Returns whether a value is JSON, so that it can be published and copied. */
function isJson(value: unknown, levels: number = maxDepth): boolean {
  if (typeof value !== 'object' || value === null) return !['bigint', 'function', 'symbol'].includes(typeof value)
  const prototype: object | null = Object.getPrototypeOf(value)
  // The root of all objects has another identity in each realm.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null || Array.isArray(value)
  return isPlain && levels > 0 && Object.values(value).every((item) => isJson(item, levels - 1))
}
