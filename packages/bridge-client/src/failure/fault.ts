/** How far an attempt had come when it failed. */
export type Phase = 'lookup' | 'prepare' | 'connect' | 'secure' | 'upload' | 'answer'

/** An attempt that failed below HTTP; `body` where the status was already known. */
export interface Fault<TPhase extends Phase | 'body' = Phase> {
  /** How far it had come. */
  readonly fault: TPhase
  /** What Node reported, or {@link deadline}. */
  readonly error: unknown
  /** The address the connection was made to, once there was one. */
  readonly address?: string
}

/** Stands as the error of a fault, and as the reason of the attempt's signal, when its time was up. */
export const deadline: unique symbol = Symbol('deadline')

/**
 * Tells whether a step of an attempt failed.
 *
 * @param value - What the step gave.
 */
export function isFault<T extends object>(value: T): value is Extract<T, Fault<Phase | 'body'>> {
  return 'fault' in value
}
