import { findPath } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError, type FieldErrors } from '../api/api-error.ts'
import { leaveOutNull } from '../api/body/leave-out-null.ts'
import { shortenLists } from '../api/body/shorten-lists.ts'
import { dropIdle, isEmptyValue, type UnknownValue } from '../api/drop-idle.ts'
import type { Input, Operation } from '../context/operation.ts'
import { findExceededLimit, inputLimits } from '../json/scan-json.ts'
import { explainIssue } from './explain-issue.ts'
import { readForm } from './read-form.ts'
import { readQuery } from './read-query.ts'

const maxShown = 200
const maxErrors = 50
const maxNameLength = 200

/** An unvalidated request. */
export interface RawInput {
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>
  /** The query, without its question mark. */
  readonly query: string
  /** The body as received. */
  readonly body: Uint8Array
  /** The header `Content-Type`. */
  readonly contentType: string | undefined
  /** The header `Content-Encoding`. */
  readonly contentEncoding?: string | undefined
}

/** Validated input, and the parts that were ignored. */
export interface ParsedInput extends Input<unknown, unknown, unknown> {
  /** Unknown parameters and fields that were ignored, such as `query.limit`. */
  readonly ignored: readonly string[]
}

/** How to parse a part of the input. */
interface Reading {
  /** Whether null counts as omitted. */
  readonly maySkipNull?: boolean
  /** The name of the part in the list of ignored input. */
  readonly part: 'query' | 'body'
  /** Whether a value under an unknown name can be dropped without loss. */
  readonly isIdle: (unknown: UnknownValue) => boolean
}

/**
 * Returns the validated input of a call. Unknown parameters and fields are errors, unless nothing is lost without them;
 * in that case, they are removed and reported.
 *
 * @throws {ApiError} 415 or 400 for a body that is not JSON, or not a form if required; 422 for everything a schema
 * rejects.
 */
export async function parseInput(operation: Operation, raw: RawInput): Promise<ParsedInput> {
  const errors: Record<string, FieldErrors> = Object.create(null)
  const ignored: string[] = []
  const check = (schema: z.ZodType, value: unknown, reading?: Reading): unknown => {
    shortenLists(schema, value)
    const read = () => schema.safeParse(value, { reportInput: true })
    let first = read()
    if (!first.success && reading) {
      const dropped = dropIdle(value, first.error.issues.flatMap(explainIssue), reading.isIdle)
      ignored.push(...dropped.map((name) => `${reading.part}.${name}`))
      if (dropped.length > 0) first = read()
    }
    const result = first.success || !reading?.maySkipNull || !leaveOutNull(schema, value) ? first : read()
    if (!result.success && !first.success) addErrors(errors, first.error, value)
    return result.data
  }
  const none = z.strictObject({})
  const body = await readInputBody(operation, raw)
  const ofQuery = { part: 'query', isIdle: (unknown: UnknownValue) => isIdleParameter(operation, unknown) } as const
  // In a partial update, null would clear a field.
  const maySkipNull = operation.method !== 'PATCH'
  const ofBody = { part: 'body', maySkipNull, isIdle: ({ value }: UnknownValue) => isEmptyValue(value) } as const
  const input = {
    params: operation.params ? check(operation.params, raw.params) : raw.params,
    query: check(operation.query ?? none, readQuery(raw.query, operation.query ?? none), ofQuery),
    body: operation.raw ? body : operation.body ? check(operation.body, body, ofBody) : refuseBody(errors, body),
    ignored,
  }
  const fields = Object.keys(errors)
  if (fields.length > 0)
    throw new ApiError(
      422,
      `Validation failed: ${fields
        .slice(0, 5)
        .map((field) => `${field}: ${errors[field]?.messages[0]}`)
        .join('; ')}`,
      {
        errors,
        ...operation.invalid?.(errors),
      },
    )
  return input
}

/**
 * For a list, ignoring a filter would show too much; a write could do too much. A single resource stays the same, and
 * so do smaller pages.
 */
function isIdleParameter({ method, path }: Operation, { name, value }: UnknownValue): boolean {
  if (isEmptyValue(value) || value === 'false') return true
  return method === 'GET' && (/(?:\}|\/me)$/.test(path) || name === 'limit' || name === 'pageSize')
}

async function readInputBody({ raw: isRaw, form }: Operation, raw: RawInput): Promise<unknown> {
  if (raw.body.length > 0 && !/^(identity)?$/i.test(raw.contentEncoding?.trim() ?? ''))
    throw new ApiError(415, 'The body must not be compressed. Send it without the header "Content-Encoding".')
  if (isRaw) return raw.body
  return form ? readForm(raw.body, raw.contentType) : parseBody(raw)
}

function parseBody({ body, contentType }: RawInput): unknown {
  if (body.length === 0) return undefined
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? ''))
    throw new ApiError(415, 'The body must be JSON, with the header "Content-Type: application/json".')
  const { maxValues, maxDepth } = inputLimits
  const exceeded = findExceededLimit(body, inputLimits)
  if (exceeded === 'maxValues') throw new ApiError(413, `The body of a request may have at most ${maxValues} values.`)
  if (exceeded === 'maxDepth') throw new ApiError(400, `The body is nested deeper than ${maxDepth} levels.`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body)
  } catch {
    throw new ApiError(400, 'The body is not UTF-8.')
  }
  return parseJson(text)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApiError(400, `The body is not JSON: ${(error as Error).message}`)
  }
}

/** An empty object counts as no body, because many clients send one. */
function refuseBody(errors: Record<string, FieldErrors>, body: unknown): undefined {
  if (body === undefined || body === null) return
  if (typeof body === 'object' && Object.keys(body).length === 0) return
  errors['general'] = { messages: ['must be empty: this operation has no body'] }
}

function addErrors(errors: Record<string, FieldErrors>, { issues }: z.ZodError, root: unknown): void {
  let total = 0
  for (const issue of issues.flatMap(explainIssue)) {
    const path = issue.path.map(String)
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : undefined
    // One issue may list a very large number of keys.
    const room = Math.max(0, maxErrors - total)
    const names = keys ? keys.slice(0, room).map((key) => [...path, key]) : [path].slice(0, room)
    total += keys?.length ?? 1
    for (const name of names)
      addError(errors, toField(name), {
        message: keys ? 'is not a field of this operation' : sayOf(name, issue.message),
        ...toShownValue(findPath(root, name)),
      })
  }
  if (total > maxErrors) addError(errors, 'general', { message: `and ${total - maxErrors} more` })
}

/** Issues of the whole body name it, because they are listed among fields. */
const sayOf = (name: readonly string[], message: string): string =>
  name.length === 0 && /^(must be|is missing)/.test(message) ? `the body ${message}` : message

function addError(
  errors: Record<string, FieldErrors>,
  field: string,
  { message, ...value }: { readonly message: string; readonly value?: unknown },
): void {
  errors[field] = { messages: [...(errors[field]?.messages ?? []), message], ...value }
}

/** The sender chooses names, so they may be of any length. */
function toField(name: readonly string[]): string {
  const field = name.join('.') || 'general'
  return field.length > maxNameLength ? `${field.slice(0, maxNameLength)}…` : field
}

function toShownValue(value: unknown): { readonly value?: unknown } {
  if (value === undefined || isLarge(value)) return {}
  return JSON.stringify(value).length <= maxShown ? { value } : {}
}

/** Returns early for a large value, which would be serialized for each of its errors. */
function isLarge(value: unknown): boolean {
  let left = maxShown
  const visit = (one: unknown): boolean => {
    left -= typeof one === 'string' ? one.length : 1
    if (left < 0) return true
    if (typeof one !== 'object' || one === null) return false
    for (const name in one) {
      left -= name.length
      if (visit(Reflect.get(one, name))) return true
    }
    return false
  }
  return visit(value)
}
