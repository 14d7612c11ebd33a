/** How long a message waits for its next attempt, by how often it was tried: mail servers that put senders off do so for minutes. */
const delaysMs: readonly number[] = [1000, 5000, 30_000, 120_000, 300_000]
/** Whoever asks for a longer wait is not waited for: what is sent then may be of no use any more. */
const longestWaitMs = 600_000
/** Messages that were put off together come back so far apart, as a part of their wait. */
const spread = 0.2

const notReached: readonly unknown[] = ['ECONNREFUSED', 'EAI_AGAIN', 'EADDRINUSE']

/** An attempt that has failed, but may be repeated. */
export interface PutOff {
  /** How often the message was tried before. */
  readonly attempts: number
  /** How long its provider asks to wait, milliseconds; 0 where it does not say. */
  readonly askedMs: number
}

/**
 * Returns how long a message waits until it is tried again, in milliseconds; `undefined` when it is given up.
 *
 * @param putOff - The attempt that has failed.
 */
export function toRetryMs({ attempts, askedMs }: PutOff): number | undefined {
  const ownMs = delaysMs[attempts]
  if (ownMs === undefined || askedMs > longestWaitMs) return undefined
  return Math.round(Math.max(ownMs, askedMs) * (1 + Math.random() * spread))
}

/**
 * Returns whether an attempt failed before anything was sent, so that nothing is sent twice by another one.
 *
 * @param code - The code of the error.
 */
export function isBeforeSending(code: unknown): boolean {
  return notReached.includes(code)
}

/**
 * Reads the header `Retry-After`, in seconds or as a date.
 *
 * @param value - The header's value.
 * @param nowMs - The time, milliseconds since 1970.
 * @returns Milliseconds; 0 where it says nothing that can be read, or a time that is over.
 */
export function readRetryAfter(value: string | undefined, nowMs: number): number {
  const text = value?.trim() ?? ''
  // Dates have letters; Date.parse would also take "-5" for one.
  const ms = /^[\d.]+$/.test(text) ? Number(text) * 1000 : /[a-z]/i.test(text) ? Date.parse(text) - nowMs : 0
  return Math.max(0, ms || 0)
}
