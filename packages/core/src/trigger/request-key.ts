/**
 * The key of a handler's context under which it has the function that returns the idempotency key of its next request.
 * Registered, because an app may have several copies of the core.
 */
export const nextKey: unique symbol = Symbol.for('@trestle/core next key')

/** Settings of a request to the API: its idempotency key, or the context of the handler that makes it. */
export interface KeyedSettings {
  /** Used for all retries of the call. @default a random one */
  readonly idempotencyKey?: string | undefined
  readonly [nextKey]?: ((given: string | undefined) => string | undefined) | undefined
}

/**
 * Returns the settings of one request. In a handler, each request has its own idempotency key, which contains its
 * position, so that the service recognizes the requests of a retried handler. The position is taken immediately: call
 * this before any `await`, so that parallel requests have the same positions in each attempt.
 */
export function withRequestKey<TSettings extends KeyedSettings>(settings: TSettings): TSettings {
  const { idempotencyKey, [nextKey]: next } = settings
  return next ? { ...settings, idempotencyKey: next(idempotencyKey) } : settings
}
