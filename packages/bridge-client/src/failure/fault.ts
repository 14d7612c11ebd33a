/**
 * The phase in which an attempt failed. From `headers` on, the peer has started to respond, so the call may have run
 * and is not retried.
 */
export type Phase = 'lookup' | 'prepare' | 'connect' | 'secure' | 'upload' | 'answer' | 'headers'

/** An attempt that failed below HTTP; `body` if the status was already received. */
export interface Fault<TPhase extends Phase | 'body' = Phase> {
  /** The phase in which it failed. */
  readonly fault: TPhase
  /** The error Node reported, or {@link deadline}. */
  readonly error: unknown
  /** The connected address, if any. */
  readonly address?: string
}

/** After a timeout, the error of a fault and the abort reason of an attempt. */
export const deadline: unique symbol = Symbol('deadline')

/** Returns whether a step of an attempt failed. */
export function isFault<T extends object>(value: T): value is Extract<T, Fault<Phase | 'body'>> {
  return 'fault' in value
}

/** Returns the Node code of an error; `''` if it has none. */
export function codeOf(error: unknown): string {
  try {
    const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined
    return typeof code === 'string' ? code : ''
  } catch {
    // A caller's function may throw any value, including unreadable ones.
    return ''
  }
}
