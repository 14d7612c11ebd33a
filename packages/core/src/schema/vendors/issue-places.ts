import { toPointer } from '@trestle/protocol'
import type { StandardIssue } from './standard-schema.ts'

/** A place that an issue of a library is about. */
export interface IssuePlace {
  readonly path: string
  /** Whether it may be about anything inside the place, too. */
  readonly isWide: boolean
}

type Nested = readonly StandardIssue[]

/** Fields of an issue beyond the interface that libraries share. */
interface RichIssue extends StandardIssue {
  readonly code?: string
  /** Zod: unknown keys of the object that the issue is about. */
  readonly keys?: readonly string[]
  /** Zod 4: for each branch of a union, what is wrong, from the union on. */
  readonly errors?: readonly Nested[]
  /** Zod 3: the same, from the value on. */
  readonly unionErrors?: readonly { readonly issues: Nested }[]
  /** Valibot: what is wrong with the branches of a union, from the union on. */
  readonly issues?: Nested
}

// They report each fault where it is.
const preciseVendors: ReadonlySet<string> = new Set(['zod', 'valibot', 'arktype'])
const wideCodes: ReadonlySet<unknown> = new Set(['invalid_union', 'invalid_key', 'invalid_element', 'union'])

/** Returns the JSON pointer to what an issue is about. */
export function toIssuePath({ path = [] }: StandardIssue): string {
  return toPointer(path.map((segment) => (typeof segment === 'object' ? segment.key : segment)))
}

/** Lists the places that an issue is about: of unknown keys the keys, of a union what its branches refuse. */
export function toIssuePlaces(issue: StandardIssue, vendor: string): readonly IssuePlace[] {
  const path = toIssuePath(issue)
  if (!preciseVendors.has(vendor)) return [{ path, isWide: true }]
  const { code, keys, errors, unionErrors, issues } = issue as RichIssue
  if (code === 'unrecognized_keys' && Array.isArray(keys))
    return keys.map((key) => ({ path: path + toPointer([key]), isWide: false }))
  const fromHere = [...(Array.isArray(errors) ? errors.flat() : []), ...(Array.isArray(issues) ? issues : [])]
  const fromTop = Array.isArray(unionErrors) ? unionErrors.flatMap((error) => error.issues) : []
  const inner = [
    ...fromHere
      .flatMap((nested) => toIssuePlaces(nested, vendor))
      .map((place) => ({ ...place, path: path + place.path })),
    ...fromTop.flatMap((nested) => toIssuePlaces(nested, vendor)),
  ]
  return [{ path, isWide: wideCodes.has(code) && inner.length === 0 }, ...inner]
}

/** Returns whether a place is one of those that a library's issues are about, or around one of them. */
export function isBlamed(path: string, places: readonly IssuePlace[]): boolean {
  return places.some((place) => isAround(path, place.path) || (place.isWide && isAround(place.path, path)))
}

/** Returns whether a place is another, or holds it. */
export function isAround(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`)
}
