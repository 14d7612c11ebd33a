import { type JsonObject, parseUrl } from '@trestle/protocol'
import { draftOf } from './draft.ts'
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
  readonly place: Place
}

/** Where a schema is. */
export interface Place {
  readonly path: string
  /** The base URI of its references: absolute, without fragment. */
  readonly base: string
}

/** A part of a document that has a name. */
interface NamedPart {
  readonly path: string
  /** The reference as written, names included. */
  readonly text: string
}

/** The named parts and the references of a document. */
export interface SchemaIdentifiers {
  readonly root: JsonObject
  readonly isDraft7: boolean
  /** By name, an absolute URI: that of an `$id` without a fragment, that of an anchor with one. */
  readonly parts: Map<string, NamedPart[]>
  /** The places of a dynamic anchor's name; a recursive anchor has the name `''`. */
  readonly dynamic: Map<string, readonly string[]>
  readonly references: Reference[]
  readonly seen: Set<JsonObject>
}

/** The place of a document's root. */
export const rootPlace: Place = { path: '', base: nowhere }

/** Creates the list of a document's names, empty. */
export function createIdentifiers(root: JsonObject): SchemaIdentifiers {
  return {
    root,
    isDraft7: draftOf(root) === '7',
    parts: new Map([[nowhere, [{ path: '', text: '' }]]]),
    dynamic: new Map(),
    references: [],
    seen: new Set(),
  }
}

/**
 * Adds the names and references of a schema and all that is inside it, and takes the names out. The root keeps its own,
 * which is published with it.
 *
 * @param names - What is known of the document.
 * @returns A sentence about a name that cannot be used.
 * @source JSON Schema 2020-12, core, section 8; draft 7, core, section 8.
 */
export function collectIdentifiers(schema: JsonObject, place: Place, names: SchemaIdentifiers): string | undefined {
  if (names.seen.has(schema)) return undefined
  names.seen.add(schema)
  const { path } = place
  const taken = takeNames(schema, place, names)
  if (taken.fault !== undefined) return `${at(path)} ${taken.fault}`
  const { base } = taken
  for (const keyword of referenceKeywords)
    if (typeof schema[keyword] === 'string') names.references.push({ schema, keyword, place: { path, base } })
  for (const [inner, sub] of subschemas(schema, path)) {
    const fault = collectIdentifiers(sub, { path: inner, base }, names)
    if (fault) return fault
  }
  return undefined
}

type Taken = { readonly base: string; readonly fault?: undefined } | { readonly fault: string }

/** Returns the base of what is inside the schema, or what is wrong with a name. */
function takeNames(schema: JsonObject, { path, base: outer }: Place, names: SchemaIdentifiers): Taken {
  const { $id, $anchor, $dynamicAnchor, $recursiveAnchor } = schema
  // Draft 7 looks at nothing beside a reference.
  const hasId = typeof $id === 'string' && !(names.isDraft7 && typeof schema['$ref'] === 'string')
  const isAnchor = hasId && $id.startsWith('#')
  const isResource = hasId && !isAnchor
  const base = isResource ? resolveUri($id, outer)?.base : outer
  if (base === undefined) return { fault: `has the $id ${JSON.stringify($id)}, which is not a URI reference` }
  const anchors = [isAnchor && $id.slice(1), ...(names.isDraft7 ? [] : [$anchor, $dynamicAnchor])]
  const own = [...new Set(anchors)].flatMap((anchor) => (typeof anchor === 'string' ? [`${base}#${anchor}`] : []))
  if (isResource) own.push(base)
  const part = { path, text: own.length > 0 ? JSON.stringify(schema) : '' }
  for (const name of own) names.parts.set(name, [...(names.parts.get(name) ?? []), part])
  const dynamic = $recursiveAnchor === true ? '' : $dynamicAnchor
  if (typeof dynamic === 'string') names.dynamic.set(dynamic, [...(names.dynamic.get(dynamic) ?? []), path])
  for (const keyword of ['$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor'])
    if (keyword !== '$id' || path !== '') delete schema[keyword]
  return { base }
}

/**
 * Finds the part that a name means at a place. A part that is written twice, as one that is used in two places is, is
 * one part; of parts that say different things under one name, the one that the place lies in is meant.
 *
 * @param names - What is known of the document.
 * @returns The JSON pointer to the part; `undefined` where there is none, `null` where there are several.
 */
export function findPart(name: string, from: string, { parts }: SchemaIdentifiers): string | null | undefined {
  const [first, ...others] = parts.get(name) ?? []
  if (!first || others.every(({ text }) => text === first.text)) return first?.path
  const around = [first, ...others].filter(({ path }) => `${from}/`.startsWith(`${path}/`))
  return around.at(-1)?.path ?? null
}

/**
 * Resolves a URI reference.
 *
 * @returns The absolute URI without its fragment, and the fragment, decoded; `undefined` when it is no URI reference.
 */
export function resolveUri(
  reference: string,
  base: string,
): { readonly base: string; readonly fragment: string } | undefined {
  // A URN is no base for a relative name; inside one such names are the document's own.
  const url = parseUrl(reference, base) ?? parseUrl(reference, nowhere)
  if (url === undefined) return undefined
  const fragment = decodeFragment(url.hash.slice(1))
  url.hash = ''
  return { base: url.href, fragment }
}

/** Names a place in a sentence. */
export function at(path: string): string {
  return path === '' ? 'it' : `"${path}"`
}
