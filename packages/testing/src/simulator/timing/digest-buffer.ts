import type { JsonObject } from '@trestle/protocol'
import { type DigestEvent, type DigestTurn, decideDigest, toDigestResult } from '@trestle/run-rules'

/** The open digests of all runs, one for each step and key. */
export interface DigestBuffer {
  /**
   * Adds an event to a digest; events arrive in the order of their times.
   *
   * @returns `opened`: a digest was opened, and the run waits for it. `merged`: the event was added to an open digest.
   * `passed`: no event was within the look-back window, so the run continues immediately.
   */
  add(stepId: string, outputs: JsonObject, event: DigestEvent): DigestTurn
  close(stepId: string, outputs: JsonObject): JsonObject
}

/** Creates a buffer without digests. */
export function createDigestBuffer(): DigestBuffer {
  const open = new Map<string, DigestEvent[]>()
  const lastMs = new Map<string, number>()
  return {
    add(stepId, outputs, event) {
      const key = toKey(stepId, outputs)
      const before = lastMs.get(key)
      lastMs.set(key, event.atMs)
      const collecting = open.get(key)
      const bucket = { openJobId: collecting ? stepId : null, lastEventMs: before ?? null }
      const turn = decideDigest(bucket, outputs, event.atMs)
      if (turn === 'opened') open.set(key, [event])
      collecting?.push(event)
      return turn
    },
    close(stepId, outputs) {
      const key = toKey(stepId, outputs)
      const events = open.get(key) ?? []
      open.delete(key)
      return toDigestResult(events)
    },
  }
}

function toKey(stepId: string, { digestKey }: JsonObject): string {
  return JSON.stringify([stepId, digestKey ?? null])
}
