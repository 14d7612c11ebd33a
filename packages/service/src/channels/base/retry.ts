import type { OutboundError } from '@trestle/bridge-client'
import type { SendErrorRest } from './send-error.ts'

/** The delay before each retry, by number of attempts. Mail servers with greylisting defer senders for minutes. */
const delaysMs: readonly number[] = [1000, 5000, 30_000, 120_000, 300_000]
/** The maximum requested delay that is honored. After a longer one, the message may no longer be useful. */
const longestWaitMs = 600_000
/** The jitter of retries, as a fraction of the delay. */
const spread = 0.2

/** A failed attempt that may be retried. */
export interface PutOff {
  /** The number of previous attempts. */
  readonly attempts: number
  /** The delay that the provider requests, in milliseconds; 0 if it requests none. */
  readonly askedMs: number
}

/**
 * Returns the delay before the next attempt, in milliseconds; `undefined` if there are no attempts left.
 *
 * @param putOff - The failed attempt.
 */
export function toRetryMs({ attempts, askedMs }: PutOff): number | undefined {
  const ownMs = delaysMs[attempts]
  if (ownMs === undefined || askedMs > longestWaitMs) return undefined
  return Math.round(Math.max(ownMs, askedMs) * (1 + Math.random() * spread))
}

/** The phases of a request before anything is sent, in which a later attempt may succeed. */
const transientPhases: readonly unknown[] = ['lookup', 'connect', 'secure']

/**
 * Returns what a failed request means for its message. If nothing was sent, a retry or another integration cannot send
 * it twice.
 *
 * @param error - The failure. A blocked address or an invalid request would fail again, so it is not retried.
 */
export function toOutboundFault({ isRefused, phase }: OutboundError): SendErrorRest {
  if (transientPhases.includes(phase)) return { blame: 'integration', waitMs: 0 }
  return { blame: isRefused || phase === 'prepare' ? 'integration' : 'unknown' }
}

/**
 * Parses the `Retry-After` header, in seconds or as a date.
 *
 * @param value - The header's value.
 * @param nowMs - The time, in milliseconds since 1970.
 * @returns Milliseconds; 0 if the value is invalid or in the past.
 */
export function readRetryAfter(value: string | undefined, nowMs: number): number {
  const text = value?.trim() ?? ''
  // Requires a letter, because Date.parse also accepts "-5".
  const ms = /^[\d.]+$/.test(text) ? Number(text) * 1000 : /[a-z]/i.test(text) ? Date.parse(text) - nowMs : 0
  return Math.max(0, ms || 0)
}
