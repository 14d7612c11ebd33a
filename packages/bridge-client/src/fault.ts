/** How far an attempt had come when it failed. */
export type Phase = 'lookup' | 'prepare' | 'connect' | 'secure' | 'upload' | 'answer' | 'body'

/** An attempt that failed below HTTP. */
export interface Fault {
  /** How far it had come. */
  readonly fault: Phase
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
export function isFault(value: object): value is Fault {
  return 'fault' in value
}
