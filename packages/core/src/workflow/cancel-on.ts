import { type CancelOn as CancelOnManifest, isObject } from '@trestle/protocol'
import type { OptionRule } from '../base/check-options.ts'

/** An event that cancels the runs of a workflow. */
export interface CancelOn<TPayload = Readonly<Record<string, unknown>>> {
  /** The name of the event, 1 to 255 characters. */
  readonly event: string
  /**
   * For each compared field of the event, the field of the run's payload that must have an equal value: up to 10.
   *
   * @default any event of that name
   */
  readonly match?: Readonly<Record<string, FieldOf<TPayload>>> | undefined
}

/** The names of an object's fields; for a union, those of each member. */
type FieldOf<TPayload> = TPayload extends unknown ? keyof TPayload & string : never

const maxEvents = 10
const maxFields = 10
const fields: readonly string[] = ['event', 'match'] satisfies (keyof CancelOn)[]

/** The rule of the option `cancelOn`. */
export const cancelOnRule: OptionRule = {
  fits: (value) => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    return list.length <= maxEvents && list.every(isCancelOn)
  },
  form:
    `{ event, match? } or a list of up to ${maxEvents}; event has 1 to 255 characters and no control characters, ` +
    `match up to ${maxFields} fields, each with the name of a payload field`,
}

function isCancelOn(value: unknown): boolean {
  if (!isObject(value) || !Object.keys(value).every((name) => fields.includes(name))) return false
  const { event, match = {} } = value
  if (typeof event !== 'string' || event.length > 255 || !/^[^\p{Cc}\p{Cs}]+$/u.test(event)) return false
  const names = isObject(match) ? Object.values(match) : [undefined]
  return names.length <= maxFields && names.every((name) => typeof name === 'string')
}

/**
 * Returns the events that cancel runs as `discover` publishes them.
 *
 * @param cancelOn - The checked option.
 */
export function toCancelOnManifest(
  cancelOn: CancelOn<never> | readonly CancelOn<never>[] | undefined,
): readonly CancelOnManifest[] {
  const list = cancelOn === undefined ? [] : [cancelOn].flat()
  return (list as readonly CancelOn[]).map(({ event, match }) => ({ event, ...(match && { match }) }))
}
