import type { z } from 'zod'

/** An error in one value. */
export type Issue = z.core.$ZodIssue

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'an object',
  array: 'a list',
  record: 'an object',
  boolean: 'true or false',
  int: 'a whole number',
}

/**
 * Explains a schema issue in plain words, as issues the caller can fix: issues of a union are those of the intended
 * branch, and issues of a record key are those of the field. Messages of the schema itself are kept.
 *
 * @param issue - The issue, with the input.
 */
export function explainIssue(issue: Issue): readonly Issue[] {
  if (issue.code === 'invalid_key') return issue.issues.map((inner): Issue => ({ ...inner, path: issue.path }))
  if (issue.code === 'invalid_type') return [say(issue, kindOf(issue.expected))]
  if (issue.code === 'invalid_value') return [say(issue, oneOf(issue.values))]
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const branches = issue.errors.map((branch) => branch.flatMap(explainIssue))
  const meant = branches.filter((branch) => !branch.some(isOfAnotherKind)).sort(byFewest)[0]
  if (!meant || (isOwn(issue) && meant.some(isOfAll))) return [say(issue, joined(kindsOf(issue)))]
  return meant.map((inner): Issue => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

const isOfAll = ({ path }: Issue): boolean => path.length === 0
const isOwn = ({ message }: Issue): boolean => !message.startsWith('Invalid ')
const byFewest = (left: readonly Issue[], right: readonly Issue[]): number =>
  misnamed(left) - misnamed(right) || left.length - right.length
const kindOf = (expected: string): string => kinds[expected] ?? `a ${expected}`

/** Missing or unknown fields say more about the intended branch than wrong values do. */
function misnamed(issues: readonly Issue[]): number {
  const own = issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return isOfAll(issue) ? issue.keys.length : 0
    return issue.path.length === 1 && issue.input === undefined ? 1 : 0
  })
  return own.reduce((sum, count) => sum + count, 0)
}

/** A string branch does not apply to an object. */
function isOfAnotherKind(issue: Issue): boolean {
  if (!isOfAll(issue)) return false
  if (issue.code === 'invalid_value') return issue.values.every((value) => typeof value !== typeof issue.input)
  return issue.code === 'invalid_type' || issue.code === 'invalid_union'
}

function say<TIssue extends Issue>(issue: TIssue, what: string): TIssue {
  if (isOwn(issue) || what === '') return issue
  return { ...issue, message: issue.input === undefined ? `is missing; it must be ${what}` : `must be ${what}` }
}

const joined = (words: readonly string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' or $1')

function oneOf(values: readonly unknown[]): string {
  const words = values.map((value) => (typeof value === 'string' && value !== '' ? value : JSON.stringify(value)))
  return words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`
}

/** Lists the types of all branches if none accepts the value. */
function kindsOf(issue: Issue): readonly string[] {
  if (issue.code === 'invalid_union') return [...new Set(issue.errors.flatMap((branch) => branch.flatMap(kindsOf)))]
  return issue.code === 'invalid_type' && isOfAll(issue) ? [kindOf(issue.expected)] : []
}
