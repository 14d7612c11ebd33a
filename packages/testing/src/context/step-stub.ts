import type { DelayResult, DigestEvent, DigestResult, HandlerContext, InAppResult, ThrottleResult } from '@trestle/core'
import type { JsonObject } from '@trestle/protocol'

/** A step's failure, given by {@link failure}. */
export interface Failure {
  /** What the step's handler throws. */
  readonly failure: unknown
}

/** Stands in for a step: called with its controls, rendered and checked, it gives the step's result or throws. */
export type DoubleFunction = (controls: JsonObject, context: HandlerContext) => JsonObject | Promise<JsonObject>

/**
 * Stands in for a step: its result, its failure, or a function that gives one of them. Of a custom step or an HTTP
 * request the handler is not run. Of any other step it is, for what it sends, and the double is what later steps see.
 */
export type Double = JsonObject | Failure | DoubleFunction

/**
 * Makes a step fail: its handler throws, and the bridge answers as it does for every failing handler.
 *
 * @param error - What is thrown; a text becomes the message of an error.
 */
export function failure(error: unknown = 'the step was told to fail'): Failure {
  return Object.freeze({ failure: typeof error === 'string' ? new Error(error) : error })
}

/**
 * Tells whether a double is a failure.
 *
 * @param double - The double.
 */
export function isFailure(double: Double): double is Failure {
  return typeof double === 'object' && Object.keys(double).length === 1 && 'failure' in double
}

const notRead: InAppResult = { seen: false, read: false, lastSeenDate: null, lastReadDate: null }

/** Results of steps by their kind, typed: what is left out is filled as the service fills it. */
export const result: {
  /** Of an in-app message, for example `result.inApp({ read: true })`. */
  readonly inApp: (given?: Partial<InAppResult>) => JsonObject
  /** Of a digest that has collected triggers with these payloads. */
  readonly digest: (payloads: readonly DigestEvent['payload'][]) => JsonObject
  /** Of a delay, in milliseconds. */
  readonly delay: (duration: DelayResult['duration']) => JsonObject
  /** Of a throttle; `{ throttled: true }` ends the run. */
  readonly throttle: (given: ThrottleResult) => JsonObject
} = {
  inApp: (given = {}) => ({ ...notRead, ...given, seen: given.seen ?? given.read ?? false }),
  digest: (payloads) => {
    const events = payloads.map((payload, index) => ({
      id: `event-${index + 1}`,
      time: new Date(index).toISOString(),
      payload,
    }))
    return { events, eventCount: events.length } satisfies DigestResult as JsonObject
  },
  delay: (duration) => ({ duration }),
  throttle: (given) => ({ ...given }),
}
