import type { z } from 'zod'
import type { Access } from '../accounts/base/access.ts'
import type { ApiError, ApiErrorDetails, FieldErrors } from '../api/api-error.ts'
import type { OpenCall } from './open-call.ts'
import type { CallContext } from './service-context.ts'

/** The rate limit bucket of an operation. */
export type RateCategory = 'events' | 'configuration' | 'global'

/** The methods of operations. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A response that differs from the operation's default: a different status, headers, or a body other than JSON. */
export interface Reply {
  readonly status: number
  /** The body: a result, wrapped like any other, or a stream of text. */
  readonly body: unknown
  /** Headers; with `content-type`, the body is sent unchanged. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The validated input of a call. */
export interface Input<TParams, TQuery, TBody> {
  readonly params: TParams
  readonly query: TQuery
  readonly body: TBody
}

/** One operation of the API. */
export interface Operation<TParams = unknown, TQuery = unknown, TBody = unknown> {
  /** The unique name, such as `subscribers.create`. */
  readonly name: string
  /** What a person needs to call it; see `accounts/base/access.ts`. */
  readonly access: Access
  readonly method: Method
  /** The path with its version; parameters in braces. */
  readonly path: string
  /** The summary: a sentence that starts with a verb. */
  readonly summary: string
  /** The rate limit bucket. */
  readonly category: RateCategory
  /** The cost: 1 token, or 100. @default 'single' */
  readonly cost?: 'single' | 'bulk'
  /** How a caller without a key proves the environment of the call. @default requires a key */
  readonly open?: OpenCall
  /** Whether a subscriber session token grants access, instead of a secret key. @default false */
  readonly forSubscriber?: boolean
  /** Whether the result is sent as `{ data: result }`. */
  readonly wrapped: boolean
  /** The status of a success; 204 has no body. @default 200 */
  readonly status?: number
  /** Other success statuses with their descriptions; the result has the same form. @default none */
  readonly also?: Readonly<Record<number, string>>
  /** Schema of the path parameters. @default a string each */
  readonly params?: z.ZodType<TParams>
  /** Schema of the query. @default no parameters */
  readonly query?: z.ZodType<TQuery>
  /** Descriptions of headers specific to the operation, by name. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** Schema of the body. @default no body */
  readonly body?: z.ZodType<TBody>
  /** Whether the body is a form with files, instead of JSON. @default false */
  readonly form?: boolean
  /** Whether the handler receives the raw body bytes without validation. @default false */
  readonly raw?: boolean
  /** Whether the handler itself deduplicates calls by idempotency key. @default false */
  readonly handlesIdempotency?: boolean
  /**
   * Returns the result with its secret masked, if the result contains one. Only callers with a secret key see secrets; the studio does not. A repeated call with the same idempotency key gets the masked result. @default no secret
   */
  hideSecret?(result: unknown): unknown
  /** The maximum size of the body, in bytes. @default the setting `maxBodyBytes` */
  readonly maxBodyBytes?: number
  /** Schema of the result. Absent only for status 204 and event streams. */
  readonly output?: z.ZodType
  /** Whether the result is a string that is sent as plain text instead of JSON. @default false */
  readonly isText?: boolean
  /** The list in the body that a client may split over several calls, because its length is limited. */
  readonly splits?: string
  /** Whether browsers may be redirected here, so that a service may answer with a redirect. @default false */
  readonly mayRedirect?: boolean
  /** Returns additional fields of the error for rejected input. */
  invalid?(errors: Readonly<Record<string, FieldErrors>>): ApiErrorDetails
  /** Returns the message of a rejected call, for an operation that returns status 400 with only that message. */
  refusal?(error: ApiError): string
  handler(context: CallContext, input: Input<TParams, TQuery, TBody>): Promise<unknown>
}

/** An operation with erased input types. */
export type AnyOperation = Operation

/** Returns an operation whose handler is typed by its schemas. */
export function operation<TParams = Readonly<Record<string, string>>, TQuery = undefined, TBody = undefined>(
  row: Operation<TParams, TQuery, TBody>,
): AnyOperation {
  return Object.freeze(row)
}

const replies = new WeakSet<object>()

/** Returns a response that differs from the operation's default. */
export function reply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  const response = { status, body, headers }
  replies.add(response)
  return response
}

/** Returns whether a result was created by {@link reply}. */
export function isReply(result: unknown): result is Reply {
  return typeof result === 'object' && result !== null && replies.has(result)
}
