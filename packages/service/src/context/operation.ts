import type { z } from 'zod'
import type { ApiError, ApiErrorDetails, FieldErrors } from '../api/api-error.ts'
import type { OpenCall } from './open-call.ts'
import type { CallContext } from './service-context.ts'

/** The bucket of the rate limit an operation takes its tokens from. */
export type RateCategory = 'events' | 'configuration' | 'global'

/** The methods of operations. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An answer that differs from the operation's own: another status, headers, or a body that is not JSON. */
export interface Reply {
  /** The HTTP status. */
  readonly status: number
  /** The body: a result, wrapped like any other, or pieces of text as they come. */
  readonly body: unknown
  /** Headers; `content-type` marks a body that is sent as it is. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The input of a call, checked. */
export interface Input<TParams, TQuery, TBody> {
  /** The parameters of the path. */
  readonly params: TParams
  /** The parameters of the query. */
  readonly query: TQuery
  /** The body. */
  readonly body: TBody
}

/** One operation of the API, as a row of the table. */
export interface Operation<TParams = unknown, TQuery = unknown, TBody = unknown> {
  /** Names it, such as `subscribers.create`; unique. */
  readonly name: string
  /** HTTP method. */
  readonly method: Method
  /** Path with its version; parameters in braces. */
  readonly path: string
  /** The summary, a sentence that begins with a verb. */
  readonly summary: string
  /** The bucket of the rate limit. */
  readonly category: RateCategory
  /** The cost: 1 token, or 100. @default 'single' */
  readonly cost?: 'single' | 'bulk'
  /** How a caller without a key proves which environment the call is for. @default it needs a key */
  readonly open?: OpenCall
  /** Whether the token of a subscriber's session opens it, instead of a secret key. @default false */
  readonly forSubscriber?: boolean
  /** Whether the result shows a secret key, so that a session of the studio may not call it. @default false */
  readonly needsKey?: boolean
  /** Whether the result is sent as `{ data: result }`. */
  readonly wrapped: boolean
  /** Status of a success; 204 has no body. @default 200 */
  readonly status?: number
  /** Other statuses of a success, with what they say; its result has the same form. @default none */
  readonly also?: Readonly<Record<number, string>>
  /** Schema of the path's parameters. Without one each is a text. */
  readonly params?: z.ZodType<TParams>
  /** Schema of the query. Without one there are no parameters. */
  readonly query?: z.ZodType<TQuery>
  /** Headers the operation reads besides those that all read: what each holds, by name. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** Schema of the body. Without one there is no body. */
  readonly body?: z.ZodType<TBody>
  /** Whether the body is a form with files, instead of JSON. @default false */
  readonly form?: boolean
  /** Whether the body is handed to the handler as it came, as bytes that no schema looks at. @default false */
  readonly raw?: boolean
  /** Whether the handler itself sees to it that a call with the same idempotency key is done once. @default false */
  readonly keepsKeys?: boolean
  /**
   * Returns the result as a repeated call with the same idempotency key gets it; without this it is the first one's. For
   * results that show a secret once.
   */
  toKept?(result: unknown): unknown
  /** The most bytes of the body. @default the setting `maxBodyBytes` */
  readonly maxBodyBytes?: number
  /** Schema of the result. Only a status 204 and a stream of events have none. */
  readonly output?: z.ZodType
  /** The list of the body that a client may split over several calls, because the service takes so many items at most. */
  readonly splits?: string
  /** Whether a browser may be sent here, so that a service may answer with a redirect. @default false */
  readonly mayRedirect?: boolean
  /** Returns what the error for refused input carries beside the usual. */
  invalid?(errors: Readonly<Record<string, FieldErrors>>): ApiErrorDetails
  /**
   * Returns the message of a call that is refused, for an operation that answers status 400 and a body that is only that
   * message.
   */
  refusal?(error: ApiError): string
  /** Does it. */
  handler(context: CallContext, input: Input<TParams, TQuery, TBody>): Promise<unknown>
}

/** An operation whose input types are no longer looked at. */
export type AnyOperation = Operation

/**
 * Returns a row of the table, its handler typed by its schemas.
 *
 * @param row - The row.
 */
export function operation<TParams = Readonly<Record<string, string>>, TQuery = undefined, TBody = undefined>(
  row: Operation<TParams, TQuery, TBody>,
): AnyOperation {
  return Object.freeze(row)
}

const replies = new WeakSet<object>()

/** Returns an answer that differs from the operation's own. */
export function reply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  const made = { status, body, headers }
  replies.add(made)
  return made
}

/** Returns whether a result was made by {@link reply}. */
export function isReply(result: unknown): result is Reply {
  return typeof result === 'object' && result !== null && replies.has(result)
}
