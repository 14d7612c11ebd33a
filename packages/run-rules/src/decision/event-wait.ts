import { isObject, type JsonObject, type StepType } from '@trestle/protocol'
import { toCanonicalJson } from './canonical-json.ts'

/** Limits of events and of the waits for them. */
export const eventLimits: Readonly<Record<'name' | 'matchFields' | 'eventFields' | 'value', number>> = Object.freeze({
  /** The maximum length of a name, in characters. */
  name: 255,
  /** The maximum number of fields that a wait can compare. */
  matchFields: 10,
  /** The maximum number of fields of an event that waits can compare. */
  eventFields: 50,
  /** The maximum length of a compared value as JSON, in characters. */
  value: 1000,
})

/** How long an event can satisfy waits that start after it, in milliseconds. */
export const eventWindowMs = 600_000

/**
 * Returns whether a text is a valid event name: 1 to 255 characters without control characters.
 *
 * @param name - The text to check.
 * @example
 * isEventName('incident.acknowledged') // true
 */
export function isEventName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= eventLimits.name && /^[^\p{Cc}\p{Cs}]+$/u.test(name)
}

/**
 * Returns fields as strings, so that equal fields have equal strings. Values that are longer than a wait can compare
 * are omitted, because no wait can match them.
 *
 * @param fields - The fields, of which only own properties are used.
 * @example
 * toMatchKeys({ id: 7 }) // ['["id",7]']
 */
export function toMatchKeys(fields: JsonObject): readonly string[] {
  return Object.keys(fields).flatMap((name) => {
    const value = toCanonicalJson(fields[name], eventLimits.value)
    return value === undefined ? [] : [`[${JSON.stringify(name)},${value}]`]
  })
}

/**
 * Returns the fields of an event that waits compare: `match`, otherwise its payload.
 *
 * @param event - The emitted event.
 * @example
 * toEventKeys({ payload: { id: 7, by: 'ada' }, match: { id: 7 } }) // ['["id",7]']
 */
export function toEventKeys({
  payload,
  match,
}: {
  readonly payload: JsonObject
  readonly match?: JsonObject | undefined
}): readonly string[] {
  return toMatchKeys(match ?? payload)
}

/**
 * Returns whether an event has all fields that a wait compares, with the same values.
 *
 * @param wanted - The keys of the wait.
 * @param keys - The keys of the event.
 * @example
 * isMatch(toMatchKeys({ id: 7 }), toEventKeys({ payload: { id: 7, by: 'ada' } })) // true
 */
export function isMatch(wanted: readonly string[], keys: readonly string[]): boolean {
  const own = new Set(keys)
  return wanted.every((key) => own.has(key))
}

/**
 * Returns what is wrong with an event: the location and the reason.
 *
 * @param event - The event.
 * @returns The problem; `undefined` if the event can be emitted.
 * @example
 * findEventFault({ name: '', payload: {} }) // { field: 'name', reason: 'must be …' }
 */
export function findEventFault({
  name,
  payload,
  match,
}: {
  readonly name: unknown
  readonly payload: JsonObject
  readonly match?: JsonObject | undefined
}): { readonly field: 'name' | 'payload' | 'match'; readonly reason: string } | undefined {
  if (!isEventName(name)) return { field: 'name', reason: `must be ${nameForm}` }
  if (Object.keys(match ?? payload).length <= eventLimits.eventFields) return undefined
  const reason = `has more than ${eventLimits.eventFields} fields`
  return match
    ? { field: 'match', reason }
    : { field: 'payload', reason: `${reason}: list those that waits compare in match` }
}

const nameForm = `1 to ${eventLimits.name} characters without control characters`

/**
 * Returns why a run cannot wait for an event.
 *
 * @param outputs - The output of the step's handler.
 */
export function findEventWaitFault({ event, match, timeout }: JsonObject): string | undefined {
  if (!isEventName(event)) return `event must be ${nameForm}`
  if (!isOptionalObject(match)) return 'match must be an object'
  const fields = Object.keys(match ?? {})
  if (fields.length > eventLimits.matchFields) return `match has more than ${eventLimits.matchFields} fields`
  if (toMatchKeys(match ?? {}).length < fields.length)
    return `match has a value of more than ${eventLimits.value} characters`
  if (timeout === undefined) return 'timeout is missing'
  return isOptionalObject(timeout) ? undefined : 'timeout must be an object with amount and unit'
}

/**
 * Returns the part of a handler's output that specifies how long a run waits for an event.
 *
 * @param outputs - The valid output.
 */
export function toTimeout({ timeout }: JsonObject): JsonObject {
  const { amount, unit } = timeout as JsonObject
  return { amount, unit }
}

/**
 * Returns whether a waiting step is skipped when the workflow function has returned, because nothing awaits its end.
 *
 * @param type - The step type.
 * @example
 * isLeftAtEnd('delay') // true
 */
export function isLeftAtEnd(type: StepType): boolean {
  return type === 'delay' || type === 'wait_for_event'
}

/** Returns whether a value is an object or absent. */
export function isOptionalObject(value: unknown): value is JsonObject | undefined {
  return value === undefined || isObject(value)
}
