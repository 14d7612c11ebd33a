import type { JsonObject } from '@trestle/protocol'
import type { Clock } from '../../clock/clock.ts'
import { toLaneName } from '../../queue/lane-name.ts'
import type { Queue } from '../../queue/queue.ts'
import { createId } from '../../store/create-id.ts'
import type { EmittedEventRow } from '../../store/schema/run.ts'
import { toEventHashes } from './event-keys.ts'

/** An event of an environment. */
export interface EventRequest {
  /** Row id of the environment. */
  readonly environmentId: string
  readonly name: string
  /** Its data. */
  readonly payload: JsonObject
  /** The subscriber whose runs receive it. @default all */
  readonly to?: string | undefined
  /** The fields that waits compare. @default those of the payload */
  readonly match?: JsonObject | undefined
}

/**
 * Stores an event with the work to wake the runs that wait for it, in one transaction.
 *
 * @param ports - The queue, which stores both, and the time.
 * @param request - The event, which must be valid.
 * @returns Row id of the event.
 */
export async function emitEvent(
  { queue, clock }: { readonly queue: Pick<Queue, 'addWith'>; readonly clock: Pick<Clock, 'now'> },
  { environmentId, name, payload, to, match }: EventRequest,
): Promise<string> {
  const nowMs = clock.now()
  const id = createId(nowMs)
  const row: EmittedEventRow = {
    ...{ id, environmentId, name, payload: JSON.stringify(payload), recipient: to ?? null },
    keys: toEventHashes(name, match ?? payload).join('|'),
    status: 'open',
    cursor: null,
    createdAt: nowMs,
  }
  const lane = toLaneName(environmentId, `event:${name}`)
  await queue.addWith('emittedEvents', [row], [{ kind: 'event', id, lane, priority: 'ongoing' }])
  return id
}
