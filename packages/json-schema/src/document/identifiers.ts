import { decodePercent, type JsonObject, parseUrl } from '@trestle/protocol'
import { draftOf } from './draft.ts'
import { subschemas } from './subschemas.ts'

// The base of a document that does not set one.
const nowhere = 'http://schema.invalid/'
const referenceKeywords = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/** A reference in a document. */
export interface Reference {
  /** The schema that contains it. */
  readonly schema: JsonObject
  readonly keyword: (typeof referenceKeywords)[number]
  readonly place: Place
}

/** The location of a schema. */
export interface Place {
  readonly path: string
  /** The base URI of the schema's references: absolute, without a fragment. */
  readonly base: string
}

/** A part of a document that has a name. */
interface NamedPart {
  readonly path: string
  /** The reference as written, including names. */
  readonly text: string
}

/** The named parts and the references of a document. */
export interface SchemaIdentifiers {
  readonly root: JsonObject
  readonly isDraft7: boolean
  /** The parts by absolute URI: an `$id` has no fragment, an anchor has one. */
  readonly parts: Map<string, NamedPart[]>
  /** The locations of each dynamic anchor, by its name; a recursive anchor has the name `''`. */
  readonly dynamic: Map<string, readonly string[]>
  readonly references: Reference[]
  readonly seen: Set<JsonObject>
}

/** The location of a document's root. */
export const rootPlace: Place = { path: '', base: nowhere }

/** Creates an empty list of a document's names. */
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
 * Collects the names and references of a schema and its subschemas, and removes the names. The root keeps its `$id`,
 * because it is published.
 *
 * @param names - The names and references so far; new ones are added.
 * @returns An error sentence if a name cannot be used; otherwise `undefined`.
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

/** Returns the base URI within the schema, or an error if a name is invalid. */
function takeNames(schema: JsonObject, { path, base: outer }: Place, names: SchemaIdentifiers): Taken {
  const { $id, $anchor, $dynamicAnchor, $recursiveAnchor } = schema
  // Draft 7 ignores keywords next to a reference.
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
 * Finds the subschema that has a name. Identical subschemas count as one; of several different ones with the same name,
 * the enclosing one is used.
 *
 * @param names - The names of the document.
 * @returns The JSON pointer to the subschema; `undefined` if there is none, `null` if it is ambiguous.
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
 * @returns The absolute URI without its fragment, and the decoded fragment; `undefined` if it is not a URI reference.
 */
export function resolveUri(
  reference: string,
  base: string,
): { readonly base: string; readonly fragment: string } | undefined {
  // A URN cannot resolve relative names, which are then local to the document.
  const url = parseUrl(reference, base) ?? parseUrl(reference, nowhere)
  if (url === undefined) return undefined
  const fragment = decodePercent(url.hash.slice(1))
  url.hash = ''
  return { base: url.href, fragment }
}

/** Formats a path for use in a sentence. */
export function at(path: string): string {
  return path === '' ? 'it' : `"${path}"`
}
