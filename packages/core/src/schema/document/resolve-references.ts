import { isObject } from '../../base/json.ts'
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
import { findReference } from './reference.ts'

/**
 * Writes each reference of a document as a JSON pointer from its root and takes out the names it went by (`$id` of
 * inner schemas, `$anchor`, ...), so that nothing else has to know of names and bases.
 *
 * @param schema - A schema without fault, as plain data of our own; it is changed.
 * @returns A sentence about a reference that leads out of the document or to nothing, or about a name that is there
 *   twice; `undefined` when all is well.
 * @source JSON Schema 2020-12, core, sections 8 and 9.
 */
export function resolveReferences(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined
  const names = createIdentifiers(schema)
  const fault = collectIdentifiers(schema, rootPlace, names)
  if (fault) return fault
  // The list grows: what a reference leads to is a schema, even in a place where none is looked for.
  for (const reference of names.references) {
    const wrong = localize(reference, names)
    if (wrong) return wrong
  }
  return undefined
}

function localize({ schema, keyword, place }: Reference, names: SchemaIdentifiers): string | undefined {
  const reference = String(schema[keyword])
  const found = find(reference, place, names)
  if (found === undefined) return `${at(place.path)} refers to ${reference}, which is not in the schema`
  if (found === null) return `${at(place.path)} refers to ${reference}, a name shared by different subschemas`
  if (isDynamic(keyword, reference) && isAmbiguous(found.path, names))
    return `${at(place.path)} refers to ${reference} by ${keyword}, which matches several subschemas; use $ref`
  const $ref = toReference(found.path)
  const target = findReference(names.root, $ref)
  const fault = isObject(target) ? collectIdentifiers(target, found, names) : undefined
  if (fault) return fault
  if (keyword !== '$ref') delete schema[keyword]
  if (keyword === '$ref' || !Object.hasOwn(schema, '$ref')) schema['$ref'] = $ref
  else schema['allOf'] = [...((schema['allOf'] as unknown[] | undefined) ?? []), { $ref }]
  return undefined
}

/** Finds what a reference leads to. */
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

/** A dynamic reference that is no name is one like any other. */
function isDynamic(keyword: Reference['keyword'], reference: string): boolean {
  return keyword === '$recursiveRef' || (keyword === '$dynamicRef' && /#[^/]/.test(reference))
}

/** Which part a dynamic reference leads to can depend on the way a check has come. */
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
