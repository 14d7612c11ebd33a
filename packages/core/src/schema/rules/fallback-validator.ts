import {
  decodePercent,
  findReference,
  isObject,
  type JsonObject,
  schemaDataKeywords,
  splitPointer,
} from '@trestle/protocol'
import { joinPath } from '../../base/json-pointer.ts'
import { lazy } from '../../base/lazy.ts'
import { draftOf } from '../document/draft.ts'
import { isSchemaKeyword, mapSubschemas } from '../document/subschemas.ts'
import { urlPattern } from '../formats/url.ts'
import type { Formats } from './compile-rules.ts'
import { keywordMessage, unknownKeyMessage } from './keyword-message.ts'
import { addIssue, type Rule } from './rule.ts'

type Library = typeof import('@cfworker/json-schema')

let library: Library | undefined
const load = lazy(() => import('@cfworker/json-schema'))

/** Returns the loaded validator, or `undefined` before {@link loadLibrary} has completed. */
export function loadedLibrary(): Library | undefined {
  return library
}

/** Loads the validator for schemas that `compileQuickCheck` does not support; once per process. */
export async function loadLibrary(): Promise<Library> {
  library ??= await load()
  return library
}

/** Returns the formats that the library supports. */
export function libraryFormats(loaded: Library): Formats {
  return loaded.format
}

// Keywords that only report a nested failure, which is also listed.
const wrappers: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'items', 'prefixItems', 'additionalItems', 'allOf', '$ref', '$recursiveRef'],
  ...['if', 'dependentSchemas', 'propertyNames', 'unevaluatedItems'],
])
const unions: ReadonlySet<string> = new Set(['anyOf', 'oneOf'])

/**
 * Creates a rule for any schema, even with rarely used keywords.
 *
 * @param schema - A plain copy of the schema, because the library modifies it.
 */
export function compileFallbackRule(schema: unknown, loaded: Library): Rule {
  const draft = isObject(schema) ? draftOf(schema) : '2020-12'
  const marked = withoutPitfalls(schema, loaded.format) as JsonObject
  const lookup = loaded.dereference(marked)
  const check = (value: unknown, shortCircuit: boolean): ReturnType<Library['validate']> =>
    loaded.validate(value, marked, draft, lookup, shortCircuit)
  return {
    accepts: (value) => check(value, true).valid,
    explain(value, path, issues) {
      for (const unit of check(value, false).errors) {
        const [place, message] = toIssue(unit, marked)
        if (message !== undefined) addIssue(issues, path + place, message)
      }
    },
  }
}

type Unit = ReturnType<Library['validate']>['errors'][number]

/** Returns the path of an issue, and its message unless the issue only repeats another one. */
function toIssue(unit: Unit, root: JsonObject): readonly [place: string, message?: string] {
  const place = decodePercent(unit.instanceLocation.slice(1))
  const { keyword } = unit
  if (wrappers.has(keyword) || /\/(anyOf|oneOf)\/\d+/.test(unit.keywordLocation)) return [place]
  if (unions.has(keyword)) return [place, 'matches none of the allowed forms']
  const key = /property "(.*)"\.$/s.exec(unit.error)?.[1]
  if (keyword === 'required' && key !== undefined) return [joinPath(place, key), 'is required']
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const unknown = /^Property "(.*)" does not match/s.exec(unit.error)?.[1]
    const closed = findKeyword(unit, root)?.[keyword] === false
    return closed && unknown !== undefined ? [joinPath(place, unknown), unknownKeyMessage(unknown)] : [place]
  }
  if (keyword === 'false') return [place]
  const schema = findKeyword(unit, root)
  return [place, schema ? keywordMessage(keyword, schema, unit.error) : unit.error]
}

/** Finds the schema that contains the failed keyword, following references. */
function findKeyword(unit: Unit, root: JsonObject): JsonObject | undefined {
  let current: unknown = root
  for (const key of splitPointer(decodePercent(unit.keywordLocation.slice(1))).slice(0, -1)) {
    if (key === '$ref') current = findReference(root, String((current as JsonObject)['$ref']))
    else if (Array.isArray(current)) current = current[Number(key)]
    else if (isObject(current)) current = current[key]
  }
  return isObject(current) ? current : undefined
}

const isName: ReadonlySet<string> = new Set(['$id', 'id', '$anchor', '$dynamicAnchor'])

/**
 * Removes what the library handles badly: it looks up unknown formats on `Object.prototype`, takes exponential time for
 * the format `url`, and checks names outside schemas. Names can be removed, because references no longer use them.
 */
function withoutPitfalls(schema: unknown, formats: Formats): unknown {
  if (!isObject(schema)) return schema
  const keptEntries = Object.entries(schema).filter(
    ([key, value]) =>
      typeof value !== 'string' || (!isName.has(key) && (key !== 'format' || Object.hasOwn(formats, value))),
  )
  const clean = keptEntries.map(([key, value]) => [
    key,
    schemaDataKeywords.has(key) || isSchemaKeyword(key) ? value : withoutNames(value),
  ])
  const copied = mapSubschemas(Object.fromEntries(clean), (inner) => withoutPitfalls(inner, formats))
  if (copied['format'] !== 'url') return copied
  const { format: _, allOf, ...rest } = copied
  return { ...rest, allOf: [...(Array.isArray(allOf) ? allOf : []), { pattern: urlPattern.source }] }
}

/** Handles unknown keywords: a reference can point into them, so formats are handled there too. */
function withoutNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNames)
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([key, inner]) => typeof inner !== 'string' || !isName.has(key))
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, schemaDataKeywords.has(key) ? inner : withoutNames(inner)]),
  )
}
