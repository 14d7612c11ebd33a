/** A value, or a promise for it. */
export type Awaitable<TValue> = TValue | Promise<TValue>
