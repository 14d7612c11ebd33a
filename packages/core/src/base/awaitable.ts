/** A value, or a promise of it. */
export type Awaitable<TValue> = TValue | Promise<TValue>
