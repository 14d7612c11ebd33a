/**
 * How far an attempt had come when it failed. From `headers` on the peer had begun to answer, so the call may have run
 * and is not made again.
 */
export type Phase = 'lookup' | 'prepare' | 'connect' | 'secure' | 'upload' | 'answer' | 'headers'

/** An attempt that failed below HTTP; `body` where the status was already known. */
export interface Fault<TPhase extends Phase | 'body' = Phase> {
  /** How far it had come. */
  readonly fault: TPhase
  /** The error Node reported, or {@link deadline}. */
  readonly error: unknown
  /** The address the connection was made to, once there was one. */
  readonly address?: string
}

/** Stands as the error of a fault, and as the reason of the attempt's signal, when its time was up. */
export const deadline: unique symbol = Symbol('deadline')

/** Returns whether a step of an attempt failed. */
export function isFault<T extends object>(value: T): value is Extract<T, Fault<Phase | 'body'>> {
  return 'fault' in value
}

/** Returns the code of an error as Node reports it; `''` where it has none. */
export function codeOf(error: unknown): string {
  try {
    const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined
    return typeof code === 'string' ? code : ''
  } catch {
    // A function of the caller's may throw anything, also what cannot be read.
    return ''
  }
}
