import type { JsonObject } from '@trestle/protocol'
import { addUnits } from './wait-end.ts'

/** An event a digest collects. */
export interface CollectedEvent {
  /** The id of the trigger. */
  readonly id: string
  /** When it came, milliseconds since 1970. */
  readonly atMs: number
  /** Its payload. */
  readonly payload: JsonObject
}

/** The open digests of all runs, one for each step and key. */
export interface DigestBuffer {
  /**
   * Adds an event to a digest; events come in the order of their times.
   *
   * @param stepId - The step.
   * @param outputs - What its handler returned.
   * @param event - The event.
   * @returns `opened`: a digest was opened, and the run waits for it. `merged`: an open one took the event. `passed`:
   *   nothing came within the window to look back on, so the run goes on at once.
   */
  add(stepId: string, outputs: JsonObject, event: CollectedEvent): 'opened' | 'merged' | 'passed'
  /**
   * Closes a digest.
   *
   * @param stepId - The step.
   * @param outputs - What its handler returned.
   * @returns What later steps see.
   */
  close(stepId: string, outputs: JsonObject): JsonObject
}

/** Creates a buffer without digests. */
export function createDigestBuffer(): DigestBuffer {
  const open = new Map<string, CollectedEvent[]>()
  const lastMs = new Map<string, number>()
  return {
    add(stepId, outputs, event) {
      const key = toKey(stepId, outputs)
      const before = lastMs.get(key)
      lastMs.set(key, event.atMs)
      const collecting = open.get(key)
      if (collecting) {
        collecting.push(event)
        return 'merged'
      }
      if (isFirst(outputs, before, event.atMs)) return 'passed'
      open.set(key, [event])
      return 'opened'
    },
    close(stepId, outputs) {
      const key = toKey(stepId, outputs)
      const events = open.get(key) ?? []
      open.delete(key)
      return toDigestResult(events)
    },
  }
}

/**
 * Returns what later steps see of a digest.
 *
 * @param events - The events that it has collected.
 */
export function toDigestResult(events: readonly CollectedEvent[]): JsonObject {
  return {
    events: events.map(({ id, atMs, payload }) => ({ id, time: new Date(atMs).toISOString(), payload })),
    eventCount: events.length,
  }
}

function toKey(stepId: string, { digestKey }: JsonObject): string {
  return JSON.stringify([stepId, digestKey ?? null])
}

function isFirst({ lookBackWindow }: JsonObject, beforeMs: number | undefined, atMs: number): boolean {
  if (typeof lookBackWindow !== 'object' || lookBackWindow === null) return false
  const { amount, unit } = lookBackWindow as { readonly amount: number; readonly unit: string }
  return beforeMs === undefined || (addUnits(beforeMs, amount, unit) ?? Number.POSITIVE_INFINITY) < atMs
}
