import type { RateLimit } from '../error/rate-limit.ts'

/**
 * How a list is paged: by cursor, by page number (with either name for the size), or by the number of items to skip.
 */
export type Paging = 'cursor' | 'page' | 'pageSize' | 'offset'

/** One operation of the API, as data. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with its version; parameters in braces. */
  readonly path: string
  /** The allowed values of enumerated path parameters. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
  /** Whether the operation takes a body; if not, none is sent. */
  readonly body?: true
  /** The response, if it is not JSON: the address of a redirect, or nothing. @default JSON */
  readonly answer?: 'location' | 'nothing'
  /** How the list is paged, if it is a list. */
  readonly paging?: Paging
  /** The response member with the items of the list. @default 'data' */
  readonly items?: string
  /** The body list that is split if it is longer than one call may contain. */
  readonly bulk?: { readonly field: string; readonly max: number }
}

/** The types of one operation. */
export interface Shape {
  /** Query parameters; lists are sent as repeated keys. */
  readonly query?: object
  /** The JSON body. */
  readonly body?: unknown
  /** The response; a body that is only `{ data }` is unwrapped. */
  readonly result: unknown
}

/** A success. */
export interface ApiResult<TData> {
  /** The API's response; a body that was only `{ data }` is unwrapped. */
  readonly data: TData
  readonly status: number
  /**
   * Whether it is the stored response to an earlier call with the same key. In bulk: whether this applies to every
   * chunk.
   */
  readonly replayed: boolean
  /** The key the request was sent with: POST and PATCH only. In bulk: the key of the first chunk. */
  readonly idempotencyKey?: string
  /** The values of the rate limit headers. */
  readonly rateLimit: RateLimit
}

/** The options of one call. */
export interface CallOptions {
  /** 1 to 255 characters, for POST and PATCH only. Used for all retries. @default a random UUID */
  readonly idempotencyKey?: string | undefined
  /** Aborts the call, including its waits; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

type Names<TPath extends string> = TPath extends `${string}{${infer TName}}${infer TRest}`
  ? TName | Names<TRest>
  : never

/** Optional members may also be `undefined`; they are not sent. */
type Sendable<T> = T extends readonly unknown[]
  ? T
  : { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] }

type PathPart<TOperation extends Operation> = {
  readonly [K in Names<TOperation['path']>]: TOperation extends { readonly choices: infer TChoices }
    ? K extends keyof TChoices
      ? TChoices[K] extends readonly (infer TChoice)[]
        ? TChoice
        : string
      : string
    : string
}

type QueryPart<TShape> = TShape extends { readonly query: infer TQuery }
  ? object extends TQuery
    ? { readonly query?: Sendable<TQuery> | undefined }
    : { readonly query: Sendable<TQuery> }
  : unknown

type BodyPart<TShape> = TShape extends { readonly body: infer TBody } ? { readonly body: Sendable<TBody> } : unknown

/** The input of a call: the path's parameters by name, `query` and `body`. */
export type Input<TOperation extends Operation, TShape> = PathPart<TOperation> & QueryPart<TShape> & BodyPart<TShape>

type ResultOf<TShape> = TShape extends { readonly result: infer TResult } ? TResult : never
type ItemsName<TOperation> = TOperation extends { readonly items: infer TName extends string } ? TName : 'data'
type ItemOf<TResult, TName extends string> =
  TResult extends Readonly<Record<TName, readonly (infer TItem)[]>> ? TItem : never

type Arguments<TInput> = object extends TInput
  ? [input?: TInput, options?: CallOptions]
  : [input: TInput, options?: CallOptions]

/** Iterates over all pages of a list. */
export interface Pages<TInput, TItem> {
  /** Returns the items of this page and of all that follow, fetching each page when it is reached. */
  each(...args: Arguments<TInput>): AsyncGenerator<TItem, void, undefined>
}

/** One operation as a function; lists also have `each`. */
export type Call<TOperation extends Operation, TShape> = ((
  ...args: Arguments<Input<TOperation, TShape>>
) => Promise<ApiResult<ResultOf<TShape>>>) &
  (TOperation extends { readonly paging: Paging }
    ? Pages<Input<TOperation, TShape>, ItemOf<ResultOf<TShape>, ItemsName<TOperation>>>
    : unknown)

/** The operations of one resource as functions. */
export type Group<TOperations, TShapes> = {
  readonly [K in keyof TShapes]: K extends keyof TOperations
    ? TOperations[K] extends Operation
      ? Call<TOperations[K], TShapes[K]>
      : never
    : never
}
