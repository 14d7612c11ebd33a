import { toPointer } from '@trestle/protocol'
import type { StandardIssue } from './standard-schema.ts'

/** The path of a library's issue. */
export interface IssuePlace {
  readonly path: string
  /** Whether the issue may also concern nested paths. */
  readonly isWide: boolean
}

type Nested = readonly StandardIssue[]

/** Fields of an issue in addition to the common interface. */
interface RichIssue extends StandardIssue {
  readonly code?: string
  /** Zod: unknown keys of the object that the issue concerns. */
  readonly keys?: readonly string[]
  /** Zod 4: the issues of each branch of a union, relative to the union. */
  readonly errors?: readonly Nested[]
  /** Zod 3: the issues of each branch of a union, relative to the whole value. */
  readonly unionErrors?: readonly { readonly issues: Nested }[]
  /** Valibot: the issues of the branches of a union, relative to the union. */
  readonly issues?: Nested
}

// These libraries report each issue at its exact path.
const preciseVendors: ReadonlySet<string> = new Set(['zod', 'valibot', 'arktype'])
const wideCodes: ReadonlySet<unknown> = new Set(['invalid_union', 'invalid_key', 'invalid_element', 'union'])

/** Returns the JSON pointer of an issue. */
export function toIssuePath({ path = [] }: StandardIssue): string {
  return toPointer(path.map((segment) => (typeof segment === 'object' ? segment.key : segment)))
}

/** Lists the paths of an issue: for unknown keys, their paths; for a union, the paths that its branches reject. */
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

/** Returns whether a path is the path of a library's issue, or a parent of one. */
export function isBlamed(path: string, places: readonly IssuePlace[]): boolean {
  return places.some((place) => isAround(path, place.path) || (place.isWide && isAround(place.path, path)))
}

/** Returns whether a path is equal to another, or a parent of it. */
export function isAround(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`)
}
