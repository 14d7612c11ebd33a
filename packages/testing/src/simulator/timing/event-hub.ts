import type { CancelOn, JsonObject } from '@trestle/protocol'
import { eventWindowMs, findEventFault, isMatch, toCancelKeys, toEventKeys, toMatchKeys } from '@trestle/run-rules'
import { findSchemaFaults } from '../../bridge/check-result.ts'
import type { EmittedEvent } from '../../context/run-options.ts'
import type { Alarms } from './alarms.ts'

/** A step that waits for an event. */
export interface EventWait {
  /** The output of the step's handler. */
  readonly outputs: JsonObject
  /** The recipient of its run. */
  readonly subscriberId: string | undefined
  /** When its run was triggered, milliseconds since 1970. */
  readonly triggeredMs: number
  /** When the wait starts and ends, milliseconds since 1970. */
  readonly nowMs: number
  readonly untilMs: number
  /** The events that steps of its run have received; added to during the run. */
  readonly received: Set<object>
  /** Continues the run. Has no effect if the wait is over. */
  readonly wake: (payload: JsonObject, atMs: number) => Promise<void>
}

/** A run that events may cancel. */
export interface CancelWatch {
  /** The events, as the workflow lists them. */
  readonly cancelOn: readonly CancelOn[]
  /** The payload of the run. */
  readonly payload: JsonObject
  /** The recipient of the run. */
  readonly subscriberId: string | undefined
  /** When the run was triggered, milliseconds since 1970. */
  readonly sinceMs: number
  /** Cancels the run. Does nothing if it has ended. */
  readonly cancel: (atMs: number) => void
}

/** The events of a test, and the steps that wait for them. */
export interface EventHub {
  /**
   * Emits an event.
   *
   * @param atMs - The time of the event, in milliseconds since 1970.
   * @throws TypeError - The event is invalid.
   */
  emit(event: EmittedEvent, atMs: number): void
  /** Starts a wait. An event that was emitted shortly before also ends the wait. */
  wait(wait: EventWait): void
  /** Lets events cancel a run. */
  watch(watch: CancelWatch): void
}

interface StoredEvent {
  readonly name: string
  readonly payload: JsonObject
  readonly to: string | undefined
  readonly keys: readonly string[]
  readonly atMs: number
}

/**
 * Creates a hub without events.
 *
 * @param alarms - The callbacks of the test's clock.
 */
export function createEventHub(alarms: Alarms): EventHub {
  const stored: StoredEvent[] = []
  const waits: EventWait[] = []
  const watches: CancelWatch[] = []

  async function receive(wait: EventWait, event: StoredEvent, atMs: number): Promise<void> {
    if (wait.received.has(event) || !(await isFor(wait, event))) return
    const index = waits.indexOf(wait)
    if (index < 0) return
    waits.splice(index, 1)
    wait.received.add(event)
    await wait.wake(event.payload, atMs)
  }

  return {
    emit({ name, payload = {}, to, match }, atMs) {
      const fault = findEventFault({ name, payload, match })
      if (fault) throw new TypeError(`The event ${JSON.stringify(name)}: ${fault.field} ${fault.reason}.`)
      const event = { name, payload, to, keys: toEventKeys({ payload, match }), atMs }
      alarms.set(atMs, async () => {
        stored.push(event)
        for (const watch of watches) if (isCanceledBy(watch, event)) watch.cancel(atMs)
        // Iterates over a copy, so that a step that starts to wait during the loop does not receive the event again.
        for (const wait of [...waits]) if (atMs <= wait.untilMs) await receive(wait, event, atMs)
      })
    },
    watch(watch) {
      if (watch.cancelOn.length > 0) watches.push(watch)
    },
    wait(wait) {
      waits.push(wait)
      const sinceMs = Math.max(wait.triggeredMs, wait.nowMs - eventWindowMs)
      const earlier = stored.filter(({ atMs }) => atMs >= sinceMs)
      if (earlier.length === 0) return
      alarms.set(wait.nowMs, async () => {
        for (const event of earlier) await receive(wait, event, wait.nowMs)
      })
    },
  }
}

function isCanceledBy({ cancelOn, payload, subscriberId, sinceMs }: CancelWatch, event: StoredEvent): boolean {
  if (event.atMs < sinceMs || (event.to !== undefined && event.to !== subscriberId)) return false
  return cancelOn.some((one) => {
    const wanted = one.event === event.name ? toCancelKeys(one, payload) : undefined
    return wanted !== undefined && isMatch(wanted, event.keys)
  })
}

async function isFor({ outputs, subscriberId }: EventWait, event: StoredEvent): Promise<boolean> {
  const { event: name, match, schema } = outputs
  if (event.name !== name || (event.to !== undefined && event.to !== subscriberId)) return false
  if (!isMatch(toMatchKeys((match ?? {}) as JsonObject), event.keys)) return false
  return schema === undefined || (await findSchemaFaults(schema as JsonObject, event.payload)).length === 0
}
