import type { JsonObject } from '@trestle/protocol'
import { type DigestEvent, type DigestTurn, decideDigest, toDigestResult } from '@trestle/run-rules'

/** A run's event in a digest. */
export interface DigestEntry {
  readonly event: DigestEvent
  /** When its run reached the digest, and when a digest that opens now ends, milliseconds since 1970. */
  readonly nowMs: number
  readonly endMs: number
  /** Lets its run wait until the end of the digest, after the run that waited has left it. */
  promote?: (times: { readonly atMs: number; readonly endMs: number }) => void
}

/** The open digests of all runs, one for each step and key. */
export interface DigestBuffer {
  /**
   * Adds an event to a digest.
   *
   * @returns `opened`: a digest was opened, and the run waits for it. `merged`: the event was added to an open digest.
   * `passed`: no event was within the look-back window, so the run continues immediately.
   */
  add(stepId: string, outputs: JsonObject, entry: DigestEntry): DigestTurn
  close(stepId: string, outputs: JsonObject): JsonObject
  /**
   * Removes the event of a run that will not use it. If the run waits for the digest, the run of the next event waits in
   * its place; without one, the digest is closed.
   *
   * @param runId - The id of the event.
   * @param at - The digest's step, and the time, milliseconds since 1970.
   * @returns Whether an event was removed.
   */
  leave(runId: string, at: { readonly stepId: string; readonly atMs: number }): boolean
}

interface OpenDigest {
  readonly stepId: string
  readonly endMs: number
  /** The run of the first entry waits for the digest. */
  readonly entries: DigestEntry[]
}

/** Creates a buffer without digests. */
export function createDigestBuffer(): DigestBuffer {
  const open = new Map<string, OpenDigest>()
  const lastMs = new Map<string, number>()
  return {
    add(stepId, outputs, entry) {
      const { nowMs, endMs } = entry
      const key = toKey(stepId, outputs)
      const before = lastMs.get(key)
      lastMs.set(key, nowMs)
      const digest = open.get(key)
      const bucket = { openJobId: digest ? stepId : null, lastEventMs: before ?? null }
      const turn = decideDigest(bucket, outputs, nowMs)
      if (turn === 'opened') open.set(key, { stepId, endMs, entries: [entry] })
      digest?.entries.push(entry)
      return turn
    },
    close(stepId, outputs) {
      const key = toKey(stepId, outputs)
      const { entries = [] } = open.get(key) ?? {}
      open.delete(key)
      return toDigestResult(entries.map(({ event }) => event))
    },
    leave(runId, { stepId, atMs }) {
      for (const [key, digest] of open) {
        const { endMs, entries } = digest
        const index = digest.stepId === stepId ? entries.findIndex(({ event }) => event.id === runId) : -1
        if (index < 0) continue
        entries.splice(index, 1)
        const [next] = entries
        if (!next) open.delete(key)
        else if (index === 0) next.promote?.({ atMs, endMs })
        return true
      }
      return false
    },
  }
}

function toKey(stepId: string, { digestKey }: JsonObject): string {
  return JSON.stringify([stepId, digestKey ?? null])
}
