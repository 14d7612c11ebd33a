import type { RateLimit } from '../error/rate-limit.ts'

/** Any JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** How a list is paged: by cursor, or by page number with either name for the size. */
export type Paging = 'cursor' | 'page' | 'pageSize'

/** One operation of the API, as data. */
export interface Operation {
  /** HTTP method. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with its version; parameters in braces. */
  readonly path: string
  /** How the list is paged, when it is one. */
  readonly paging?: Paging
  /** The list in the body that is split when it is longer than one call may carry. */
  readonly bulk?: { readonly field: string; readonly max: number }
  /** Whether a redirect is the answer itself, given as `{ location }`. */
  readonly givesLocation?: true
}

/** The types of one operation. */
export interface Shape {
  /** Query parameters; lists are sent as repeated keys. */
  readonly query?: object
  /** The JSON body. */
  readonly body?: unknown
  /** What is answered; a body that is only `{ data }` is unwrapped. */
  readonly result: unknown
}

/** A success. */
export interface ApiResult<TData> {
  /** What the API answered; a body that was only `{ data }` is unwrapped. */
  readonly data: TData
  /** HTTP status. */
  readonly status: number
  /** Whether a stored answer to an earlier call with the same key was given. In bulk: every chunk's was. */
  readonly replayed: boolean
  /** The key the request was sent with: POST and PATCH only. In bulk: that of the first chunk. */
  readonly idempotencyKey?: string
  /** What the rate limit headers told. */
  readonly rateLimit: RateLimit
}

/** How one call may differ. */
export interface CallOptions {
  /** 1 to 255 characters, for POST and PATCH only. Kept over all retries. @default a random UUID */
  readonly idempotencyKey?: string
  /** Ends the call and its waiting; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

type Names<TPath extends string> = TPath extends `${string}{${infer TName}}${infer TRest}`
  ? TName | Names<TRest>
  : never
type Part<TKey extends string, TValue> = object extends TValue
  ? { readonly [K in TKey]?: TValue }
  : { readonly [K in TKey]: TValue }

/** What a call is given: the path's parameters by name, `query` and `body`. */
export type Input<TOperation extends Operation, TShape> = {
  readonly [K in Names<TOperation['path']>]: string
} & (TShape extends { readonly query: infer TQuery } ? Part<'query', TQuery> : unknown) &
  (TShape extends { readonly body: infer TBody } ? Part<'body', TBody> : unknown)

type ResultOf<TShape> = TShape extends { readonly result: infer TResult } ? TResult : never
type ItemOf<TResult> = TResult extends { readonly data: readonly (infer TItem)[] } ? TItem : never

type Arguments<TInput> = object extends TInput
  ? [input?: TInput, options?: CallOptions]
  : [input: TInput, options?: CallOptions]

/** Walks through all pages of a list. */
export interface Pages<TInput, TItem> {
  /** Gives the items of this page and of all that follow, fetching each page when it is reached. */
  each(...args: Arguments<TInput>): AsyncGenerator<TItem, void, undefined>
}

/** One operation as a function; lists also have `each`. */
export type Call<TOperation extends Operation, TShape> = ((
  ...args: Arguments<Input<TOperation, TShape>>
) => Promise<ApiResult<ResultOf<TShape>>>) &
  (TOperation extends { readonly paging: Paging }
    ? Pages<Input<TOperation, TShape>, ItemOf<ResultOf<TShape>>>
    : unknown)

/** The operations of one resource as functions. */
export type Group<TOperations, TShapes> = {
  readonly [K in keyof TShapes]: K extends keyof TOperations
    ? TOperations[K] extends Operation
      ? Call<TOperations[K], TShapes[K]>
      : never
    : never
}
