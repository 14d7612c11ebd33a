import type { JsonObject } from '@trestle/protocol'
import { draftOf } from './quick-check.ts'
import { decodeFragment } from './reference.ts'
import { subschemas } from './subschemas.ts'

// Where a document lies that does not say so itself.
const nowhere = 'http://schema.invalid/'
const referenceKeywords = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/** A reference as it stands in a document. */
export interface Reference {
  /** The schema that holds it. */
  readonly schema: JsonObject
  readonly keyword: (typeof referenceKeywords)[number]
  /** Where the schema is. */
  readonly place: Place
}

/** Where a schema is. */
export interface Place {
  /** JSON pointer to it. */
  readonly path: string
  /** What references in it are relative to, an absolute URI without fragment. */
  readonly base: string
}

/** What a document holds: its named parts, each by the JSON pointer to it, and its references. */
export interface SchemaNames {
  readonly root: JsonObject
  readonly isDraft7: boolean
  /** By `$id`, as absolute URIs. */
  readonly resources: Map<string, string>
  /** By anchor, as absolute URIs with a fragment. */
  readonly anchors: Map<string, string>
  /** The places of a dynamic anchor's name; a recursive anchor has the name `''`. */
  readonly dynamic: Map<string, readonly string[]>
  readonly references: Reference[]
  readonly seen: Set<JsonObject>
}

/** The place of a document's root. */
export const rootPlace: Place = { path: '', base: nowhere }

/**
 * Makes the list of a document's names, empty.
 *
 * @param root - The document.
 */
export function createNames(root: JsonObject): SchemaNames {
  return {
    root,
    isDraft7: draftOf(root) === '7',
    resources: new Map([[nowhere, '']]),
    anchors: new Map(),
    dynamic: new Map(),
    references: [],
    seen: new Set(),
  }
}

/**
 * Adds the names and references of a schema and all that is inside it, and takes the names out. The root keeps its own,
 * which is published with it.
 *
 * @param schema - The schema; it is changed.
 * @param place - Where it is.
 * @param names - What is known of the document.
 * @returns A sentence about a name that cannot be used.
 * @source JSON Schema 2020-12, core, section 8; draft 7, core, section 8.
 */
export function collectNames(schema: JsonObject, place: Place, names: SchemaNames): string | undefined {
  if (names.seen.has(schema)) return undefined
  names.seen.add(schema)
  const { path } = place
  const base = takeNames(schema, place, names)
  if (base === undefined) return `${at(path)} has a name that another part has too, or that is no URI reference`
  for (const keyword of referenceKeywords)
    if (typeof schema[keyword] === 'string') names.references.push({ schema, keyword, place: { path, base } })
  for (const [inner, sub] of subschemas(schema, path)) {
    const fault = collectNames(sub, { path: inner, base }, names)
    if (fault) return fault
  }
  return undefined
}

/** Gives the base of what is inside the schema; `undefined` when a name cannot be used. */
function takeNames(schema: JsonObject, { path, base: outer }: Place, names: SchemaNames): string | undefined {
  const { $id, $anchor, $dynamicAnchor, $recursiveAnchor } = schema
  // Draft 7 looks at nothing beside a reference.
  const hasId = typeof $id === 'string' && !(names.isDraft7 && typeof schema['$ref'] === 'string')
  const isAnchor = hasId && $id.startsWith('#')
  const base = hasId && !isAnchor ? resolveUri($id, outer)?.base : outer
  if (base === undefined) return undefined
  if (hasId && !isAnchor && !claim(names.resources, base, path)) return undefined
  const anchors = [isAnchor && $id.slice(1), ...(names.isDraft7 ? [] : [$anchor, $dynamicAnchor])]
  for (const anchor of new Set(anchors))
    if (typeof anchor === 'string' && !claim(names.anchors, `${base}#${anchor}`, path)) return undefined
  const dynamic = $recursiveAnchor === true ? '' : $dynamicAnchor
  if (typeof dynamic === 'string') names.dynamic.set(dynamic, [...(names.dynamic.get(dynamic) ?? []), path])
  for (const keyword of ['$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor'])
    if (keyword !== '$id' || path !== '') delete schema[keyword]
  return base
}

function claim(places: Map<string, string>, name: string, path: string): boolean {
  if (places.has(name)) return false
  places.set(name, path)
  return true
}

/**
 * Resolves a URI reference.
 *
 * @param reference - As it was written.
 * @param base - The base, absolute.
 * @returns The absolute URI without its fragment, and the fragment, decoded; `undefined` when it is no URI reference.
 */
export function resolveUri(
  reference: string,
  base: string,
): { readonly base: string; readonly fragment: string } | undefined {
  try {
    const url = new URL(reference, base)
    const fragment = decodeFragment(url.hash.slice(1))
    url.hash = ''
    return { base: url.href, fragment }
  } catch {
    return undefined
  }
}

/**
 * Names a place in a sentence.
 *
 * @param path - JSON pointer.
 */
export function at(path: string): string {
  return path === '' ? 'it' : `"${path}"`
}
