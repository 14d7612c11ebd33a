import type { JsonObject } from '@trestle/protocol'
import { addTime } from '../time/add-time.ts'

/** The state of the digests of one step, recipient and key. */
export interface DigestBucket {
  /** The job that waits for events; `null` when no digest is open. */
  readonly openJobId: string | null
  /** When the last event came, milliseconds since 1970; `null` when none has. */
  readonly lastEventMs: number | null
}

/** The outcome for an event: it opens a digest, joins the open one, or passes at once. */
export type DigestTurn = 'opened' | 'merged' | 'passed'

/**
 * Decides what becomes of an event that reaches a digest.
 *
 * @param bucket - What is known of earlier events.
 * @param outputs - What the digest's handler returned.
 * @param nowMs - When the event comes, milliseconds since 1970.
 * @example
 * decideDigest({ openJobId: null, lastEventMs: null }, { amount: 1, unit: 'hours' }, Date.now()) // 'opened'
 * @source service-api.md#digest
 */
export function decideDigest(bucket: DigestBucket, outputs: JsonObject, nowMs: number): DigestTurn {
  if (bucket.openJobId !== null) return 'merged'
  if (!hasLookBack(outputs)) return 'opened'
  const quietMs = bucket.lastEventMs === null ? undefined : toLookBackEnd(outputs, bucket.lastEventMs)
  return quietMs === undefined || quietMs < nowMs ? 'passed' : 'opened'
}

/**
 * Returns until when a digest that looks back still sees an event.
 *
 * @param outputs - What the digest's handler returned.
 * @param eventMs - When the event came, milliseconds since 1970.
 * @returns Milliseconds since 1970; `undefined` when it does not look back.
 * @example
 * toLookBackEnd({ lookBackWindow: { amount: 1, unit: 'minutes' } }, 0) // 60_000
 */
export function toLookBackEnd(outputs: JsonObject, eventMs: number): number | undefined {
  if (!hasLookBack(outputs)) return undefined
  const { amount, unit } = outputs['lookBackWindow'] as JsonObject
  return addTime(eventMs, amount, unit)
}

function hasLookBack({ lookBackWindow: window }: JsonObject): boolean {
  return typeof window === 'object' && window !== null && !Array.isArray(window)
}

/** An event of a digest. */
export interface DigestEvent {
  /** The id of the event's run. */
  readonly id: string
  /** When it was triggered, milliseconds since 1970. */
  readonly atMs: number
  /** Its payload. */
  readonly payload: JsonObject
}

/**
 * Returns what a digest leaves behind for later steps.
 *
 * @param events - The events it has collected; those of one time stay in their order.
 * @example
 * toDigestResult([{ id: 'run-1', atMs: 0, payload: { n: 1 } }]).eventCount // 1
 */
export function toDigestResult(events: readonly DigestEvent[]): JsonObject {
  const sorted = [...events].sort((left, right) => left.atMs - right.atMs)
  return {
    events: sorted.map(({ id, atMs, payload }) => ({ id, time: new Date(atMs).toISOString(), payload })),
    eventCount: sorted.length,
  }
}
