import { findReference, isObject, type JsonObject } from '@trestle/protocol'
import {
  at,
  collectIdentifiers,
  createIdentifiers,
  findPart,
  type Place,
  type Reference,
  resolveUri,
  rootPlace,
  type SchemaIdentifiers,
} from './identifiers.ts'
import { findSubschemaFault } from './schema-fault.ts'

/**
 * Replaces references with JSON pointers from the root, and removes names (`$id` of subschemas, `$anchor`, ...), so
 * that other code does not have to handle names and base URIs.
 *
 * @param schema - A valid schema as plain data, which is modified.
 * @returns An error sentence for an external or unresolved reference or a duplicate name; `undefined` if there is none.
 * @source JSON Schema 2020-12, core, sections 8 and 9.
 */
export function resolveReferences(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined
  const names = createIdentifiers(schema)
  const fault = collectIdentifiers(schema, rootPlace, names)
  if (fault) return fault
  // The list grows: the target of a reference is a schema, even under an unknown keyword.
  for (const reference of names.references) {
    const wrong = localize(reference, names)
    if (wrong) return wrong
  }
  return undefined
}

function localize({ schema, keyword, place }: Reference, names: SchemaIdentifiers): string | undefined {
  const reference = String(schema[keyword])
  const targetPlace = find(reference, place, names)
  if (targetPlace === undefined) return `${at(place.path)} refers to ${reference}, which is not in the schema`
  if (targetPlace === null) return `${at(place.path)} refers to ${reference}, a name shared by different subschemas`
  if (isDynamic(keyword, reference) && isAmbiguous(targetPlace.path, names))
    return `${at(place.path)} refers to ${reference} by ${keyword}, which matches several subschemas; use $ref`
  const $ref = toReference(targetPlace.path)
  const target = findReference(names.root, $ref)
  const fault = isObject(target) ? addTarget(target, targetPlace, names) : undefined
  if (fault) return fault
  if (keyword !== '$ref') delete schema[keyword]
  if (keyword === '$ref' || !Object.hasOwn(schema, '$ref')) schema['$ref'] = $ref
  else schema['allOf'] = [...((schema['allOf'] as unknown[] | undefined) ?? []), { $ref }]
  return undefined
}

/** Adds the target of a reference; it is a schema, even if it is not under a keyword. */
function addTarget(target: JsonObject, place: Place, names: SchemaIdentifiers): string | undefined {
  if (names.seen.has(target)) return undefined
  return findSubschemaFault(target, place.path) ?? collectIdentifiers(target, place, names)
}

/** Finds the target of a reference. */
function find(reference: string, from: Place, names: SchemaIdentifiers): Place | null | undefined {
  const resolved = resolveUri(reference, from.base)
  if (!resolved) return undefined
  const { base, fragment } = resolved
  const isPointer = fragment === '' || fragment.startsWith('/')
  const start = findPart(isPointer ? base : `${base}#${fragment}`, from.path, names)
  if (typeof start !== 'string') return start
  const path = isPointer ? start + fragment : start
  const target = findReference(names.root, toReference(path))
  return isObject(target) || typeof target === 'boolean' ? { path, base } : undefined
}

/** Returns whether a reference is dynamic; one without a name is a normal reference. */
function isDynamic(keyword: Reference['keyword'], reference: string): boolean {
  return keyword === '$recursiveRef' || (keyword === '$dynamicRef' && /#[^/]/.test(reference))
}

/** Returns whether the target of a dynamic reference may depend on the validation path. */
function isAmbiguous(path: string, { dynamic }: SchemaIdentifiers): boolean {
  return [...dynamic.values()].some((paths) => paths.length > 1 && paths.includes(path))
}

function toReference(path: string): string {
  try {
    return `#${encodeURI(path)}`
  } catch {
    // Half a surrogate pair cannot be encoded.
    return `#${path}`
  }
}
