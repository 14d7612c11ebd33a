import { isObject, joinPath, schemaKeywords, schemaListKeywords, schemaMapKeywords } from '@trestle/protocol'
import { findForeignObject } from './foreign-object.ts'
import { at } from './identifiers.ts'

const maxDepth = 100
const types: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])

/** Returns what is wrong with the value of a keyword, worded as the end of a sentence. */
type KeywordRule = (value: unknown, keyword: string) => string | undefined

/** Rules by keyword, so that only keywords in the schema are checked. */
const rules: ReadonlyMap<string, KeywordRule> = new Map([
  ...rulesOf(findTypeFault, ['type']),
  ...rulesOf((value) => (isPattern(value) ? undefined : 'has a pattern that is not a regular expression'), ['pattern']),
  ...rulesOf(
    (value, keyword) => (isLimit(keyword, value) ? undefined : `must have a number as its ${keyword}`),
    [
      ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
      ...['minItems', 'maxItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties'],
    ],
  ),
  ...rulesOf(
    (value, keyword) => (typeof value === 'string' ? undefined : `must have a string as its ${keyword}`),
    ['$ref', '$dynamicRef', '$recursiveRef', '$id', '$anchor', '$dynamicAnchor', 'format'],
  ),
  ...rulesOf(findDataFault, ['default', 'const', 'examples']),
  ...rulesOf(
    (value, keyword) =>
      findDataFault(value, keyword) ?? (Array.isArray(value) ? undefined : 'must have a list as its enum'),
    ['enum'],
  ),
  ...rulesOf((value) => (isTextList(value) ? undefined : 'must have a list of keys as required'), ['required']),
  ...rulesOf(
    (value) =>
      isObject(value) && Object.values(value).every(isTextList)
        ? undefined
        : 'must have an object of lists of keys as dependentRequired',
    ['dependentRequired'],
  ),
])
const keywords: ReadonlySet<string> = new Set([
  ...rules.keys(),
  ...['$schema', '$comment', 'items', 'uniqueItems', 'dependencies', 'title', 'description'],
  ...['deprecated', 'readOnly', 'writeOnly', 'contentEncoding', 'contentMediaType', 'contentSchema', 'nullable'],
  ...[...schemaKeywords, ...schemaListKeywords, ...schemaMapKeywords],
])

function rulesOf(rule: KeywordRule, names: readonly string[]): [string, KeywordRule][] {
  return names.map((name) => [name, rule])
}

/**
 * Returns why a value is not a usable JSON Schema.
 *
 * @returns An error sentence with the path, or `undefined` if the schema is valid.
 */
export function findSchemaFault(schema: unknown): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isObject(schema)) return 'it is not an object'
  const fault = findSubschemaFault(schema, '')
  const keys = Object.keys(schema)
  if (fault !== undefined || keys.length === 0) return fault
  if (keys.some((key) => keywords.has(key) || key.startsWith('x-'))) return undefined
  return `none of its keys is a JSON Schema keyword: ${keys.slice(0, 5).join(', ')}`
}

/**
 * Returns why a part of a document is not a schema.
 *
 * @param path - JSON pointer to the part, for the sentence.
 */
export function findSubschemaFault(schema: unknown, path: string, depth = 0): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isObject(schema)) return `${at(path)} must be a schema (an object or a boolean)`
  if (depth >= maxDepth) return `${at(path)} is nested too deeply, or refers to itself`
  const foreign = findForeignObject(schema)
  if (foreign !== undefined) return `${at(path)} ${foreign}`
  const present = Object.entries(schema).filter(([, value]) => value !== undefined)
  for (const [keyword, value] of present) {
    const fault = rules.get(keyword)?.(value, keyword)
    if (fault !== undefined) return `${at(path)} ${fault}`
  }
  for (const [keyword, value] of present) {
    const fault = findInnerFault(keyword, value, { path, depth })
    if (fault !== undefined) return fault
  }
  return undefined
}

function findTypeFault(type: unknown): string | undefined {
  const wrong = [type].flat().find((name) => !types.has(name))
  return wrong === undefined ? undefined : `has the type ${JSON.stringify(wrong)}, which JSON does not have`
}

function findDataFault(value: unknown, keyword: string): string | undefined {
  return isJson(value) ? undefined : `has a ${keyword} that is not a JSON value`
}

function findInnerFault(
  keyword: string,
  value: unknown,
  outer: { readonly path: string; readonly depth: number },
): string | undefined {
  const isMap = schemaMapKeywords.has(keyword) || keyword === 'dependencies'
  const isOne = schemaKeywords.has(keyword) || (keyword === 'items' && !Array.isArray(value))
  if (!isMap && !isOne && !schemaListKeywords.has(keyword) && keyword !== 'items') return undefined
  const path = joinPath(outer.path, keyword)
  if (isOne) return findSubschemaFault(value, path, outer.depth + 1)
  if (isMap ? !isObject(value) : !Array.isArray(value))
    return `${at(path)} must be ${isMap ? 'an object' : 'a list'} of schemas`
  for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value as object)) {
    if (keyword === 'patternProperties' && !isPattern(key)) return `${at(path)} has a key that is not a pattern: ${key}`
    // A dependency may be a list of keys.
    if (keyword === 'dependencies' && isTextList(item)) continue
    const fault = findSubschemaFault(item, joinPath(path, key), outer.depth + 2)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Returns whether a value is a valid limit; in draft 4, a boolean makes a limit exclusive. */
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
  // Object.prototype differs between realms.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null || Array.isArray(value)
  return isPlain && levels > 0 && Object.values(value).every((item) => isJson(item, levels - 1))
}
