import { isObject, type JsonObject } from '@trestle/protocol'
import { addTime } from '../time/add-time.ts'

/** The state of the digests for one step, recipient and key. */
export interface DigestBucket {
  /** The job that waits for events; `null` if no digest is open. */
  readonly openJobId: string | null
  /** When the last event arrived, in milliseconds since 1970; `null` if there was none. */
  readonly lastEventMs: number | null
}

/** The outcome for an event: it opens a digest, joins the open one, or continues immediately. */
export type DigestTurn = 'opened' | 'merged' | 'passed'

/**
 * Decides whether an event opens, joins or bypasses a digest.
 *
 * @param bucket - The state from earlier events.
 * @param outputs - The output of the digest's handler.
 * @param nowMs - The time of the event, milliseconds since 1970.
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
 * Returns the end of the look-back window of an event.
 *
 * @param outputs - The output of the digest's handler.
 * @param eventMs - The time of the event, milliseconds since 1970.
 * @returns Milliseconds since 1970; `undefined` if the digest has no look-back.
 * @example
 * toLookBackEnd({ lookBackWindow: { amount: 1, unit: 'minutes' } }, 0) // 60_000
 */
export function toLookBackEnd(outputs: JsonObject, eventMs: number): number | undefined {
  if (!hasLookBack(outputs)) return undefined
  const { amount, unit } = outputs['lookBackWindow'] as JsonObject
  return addTime(eventMs, amount, unit)
}

function hasLookBack({ lookBackWindow: window }: JsonObject): boolean {
  return isObject(window)
}

/** An event of a digest. */
export interface DigestEvent {
  /** The id of the event's run. */
  readonly id: string
  /** When it was triggered, milliseconds since 1970. */
  readonly atMs: number
  readonly payload: JsonObject
}

/**
 * Returns the result of a digest for later steps.
 *
 * @param events - The collected events; events with equal times keep their order.
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
