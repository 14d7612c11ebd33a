import { type Issue, maxIssues } from '@trestle/protocol'
import { isAround, isBlamed, toIssuePath, toIssuePlaces } from './vendors/issue-places.ts'
import type { StandardIssue } from './vendors/standard-schema.ts'

/**
 * Merges the issues found with a JSON Schema into those of the library. The library decides: the published schema may
 * reject values that the library accepts, such as text that it converts to a date.
 *
 * @param own - The issues of the library, at least one.
 * @returns The JSON Schema issues at paths that the library rejects, and the library's own messages elsewhere.
 */
export function formatIssues(
  schemaIssues: readonly Issue[],
  own: readonly StandardIssue[],
  vendor: string,
): readonly [Issue, ...Issue[]] {
  const places = own.flatMap((issue) => toIssuePlaces(issue, vendor))
  const kept = schemaIssues.filter(({ path }) => isBlamed(path, places))
  const added = own
    .slice(0, maxIssues)
    .map((issue): Issue => ({ path: toIssuePath(issue), message: String(issue.message) }))
    .filter(({ path }) => !kept.some((issue) => isAround(issue.path, path) || isAround(path, issue.path)))
  const [first, ...rest] = [...kept, ...added].slice(0, maxIssues)
  return first ? [first, ...rest] : [{ path: '', message: 'is not allowed' }]
}
