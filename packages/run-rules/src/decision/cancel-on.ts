import { type CancelOn, isObject, type JsonObject } from '@trestle/protocol'
import { eventLimits, isEventName, toMatchKeys } from './event-wait.ts'

/** How many events may cancel the runs of a workflow. */
const maxCancelEvents = 10

/**
 * Returns the fields that an event must have to cancel a run, as {@link toMatchKeys} returns them.
 *
 * @param cancelOn - The event that cancels the runs of the workflow.
 * @param payload - The payload of the run.
 * @returns `undefined` if the payload lacks a compared field, or a value is too long: no event cancels the run.
 * @example
 * toCancelKeys({ event: 'order.canceled', match: { orderId: 'id' } }, { id: 7 }) // ['["orderId",7]']
 */
export function toCancelKeys({ match = {} }: CancelOn, payload: JsonObject): readonly string[] | undefined {
  const fields = Object.entries(match)
  if (!fields.every(([, from]) => Object.hasOwn(payload, from))) return undefined
  const keys = toMatchKeys(Object.fromEntries(fields.map(([name, from]) => [name, payload[from]])))
  return keys.length === fields.length ? keys : undefined
}

/**
 * Returns what is wrong with the events that cancel the runs of a workflow.
 *
 * @param cancelOn - The unchecked list.
 * @returns `undefined` if nothing is.
 * @example
 * findCancelOnFault([{ event: '' }]) // 'entry 1 has no valid event'
 */
export function findCancelOnFault(cancelOn: unknown): string | undefined {
  if (!Array.isArray(cancelOn) || cancelOn.length > maxCancelEvents)
    return `must be a list of up to ${maxCancelEvents} events`
  for (const [index, entry] of (cancelOn as readonly unknown[]).entries()) {
    const { event, match = {} } = (isObject(entry) ? entry : {}) as { event?: unknown; match?: unknown }
    if (!isEventName(event)) return `entry ${index + 1} has no valid event`
    const fields = isObject(match) ? Object.values(match) : [undefined]
    if (fields.length > eventLimits.matchFields || !fields.every((from) => typeof from === 'string'))
      return `match of entry ${index + 1} must be an object with up to ${eventLimits.matchFields} names of payload fields`
  }
  return undefined
}
