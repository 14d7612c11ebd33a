import { type Issue, maxIssues } from '@trestle/protocol'
import { isAround, isBlamed, toIssuePath, toIssuePlaces } from './vendors/issue-places.ts'
import type { StandardIssue } from './vendors/standard-schema.ts'

/**
 * Joins what a JSON Schema says of a value with what the library says, which decides: its published form may refuse what
 * the library takes, a text that it turns into a date for one.
 *
 * @param own - What the library says, at least one issue.
 * @returns What is said of places that the library refuses, and its own words where nothing else is said.
 */
export function tellIssues(
  told: readonly Issue[],
  own: readonly StandardIssue[],
  vendor: string,
): readonly [Issue, ...Issue[]] {
  const places = own.flatMap((issue) => toIssuePlaces(issue, vendor))
  const kept = told.filter(({ path }) => isBlamed(path, places))
  const added = own
    .slice(0, maxIssues)
    .map((issue): Issue => ({ path: toIssuePath(issue), message: String(issue.message) }))
    .filter(({ path }) => !kept.some((issue) => isAround(issue.path, path) || isAround(path, issue.path)))
  const [first, ...rest] = [...kept, ...added].slice(0, maxIssues)
  return first ? [first, ...rest] : [{ path: '', message: 'is not allowed' }]
}
