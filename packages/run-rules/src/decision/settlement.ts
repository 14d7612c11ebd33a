import {
  isOfClass,
  type JsonObject,
  type MessageType,
  type StepData,
  type StepIssuesData,
  type StepReply,
  type StepType,
  type StepTypeOf,
} from '@trestle/protocol'
import { isTimezone } from '../time/cron-time.ts'
import { type Schedule, toScheduledTime } from '../time/schedule.ts'
import { toWaitEnd } from '../time/wait-end.ts'
import { findTriggerFault } from './child-runs.ts'
import { findEventWaitFault, toTimeout } from './event-wait.ts'
import { findMessageFault } from './message-fault.ts'
import { type PreferenceSources, resolvePreference } from './preference.ts'

/** The facts used to evaluate a bridge's reply to one step. */
export interface SettlementContext {
  readonly type: StepType
  /** When the reply arrived, milliseconds since 1970. */
  readonly nowMs: number
  /** The trigger's payload. */
  readonly payload: JsonObject
  /** The trigger's overrides. */
  readonly overrides: JsonObject
  /** The recipient's time zone, if they have one. */
  readonly timezone: string | null
  /** The recipient's schedule, if they have one. */
  readonly schedule: Schedule | undefined
  /** The sources of preferences. */
  readonly preferences: PreferenceSources
  /** Whether preferences are ignored. */
  readonly critical: boolean
}

/** The resolved end of a wait. */
export interface SettledWait {
  /** When it ends, milliseconds since 1970. */
  readonly endMs: number
  /** Whether the recipient's schedule moved the end. */
  readonly extended: boolean
  /** Whether the recipient's time zone is unknown, so that UTC was used. */
  readonly timezoneInvalid: boolean
}

/** The consequence of a bridge's reply. */
export type Settlement =
  | { readonly kind: 'skipped' }
  | { readonly kind: 'filtered'; readonly source: string }
  | { readonly kind: 'invalid' | 'unsendable'; readonly reason: string }
  | { readonly kind: StepTypeOf<'wait' | 'throttle'>; readonly wait: SettledWait }
  | { readonly kind: 'unthrottled' }
  | { readonly kind: 'triggered' }
  | { readonly kind: 'stored' }
  | { readonly kind: 'delivered' }

/** The failure of a step whose output the service cannot use. */
export interface SettlementFault {
  readonly code: 'ExecutionStateOutputInvalidError'
  readonly status: 400
  readonly message: string
  readonly data: StepIssuesData
}

/**
 * Decides the consequence of a bridge's reply to a step.
 *
 * @param reply - The bridge's reply.
 * @param context - The facts used to evaluate it.
 * @example
 * settleReply(reply, { type: 'delay', nowMs: Date.now(), payload, timezone: 'Europe/Berlin', ...rest })
 * @source service-api.md#order-of-work-in-a-step, service-api.md#delay, service-api.md#digest, service-api.md#throttle
 */
export function settleReply(reply: StepReply, context: SettlementContext): Settlement {
  if (reply.options.skip) return { kind: 'skipped' }
  const { type } = context
  if (isOfClass(type, 'message')) return settleMessage(type, reply.outputs, context)
  if (isOfClass(type, 'wait', 'throttle')) return settleTiming(type, reply.outputs, context)
  if (isOfClass(type, 'trigger')) return settleTrigger(reply.outputs)
  return settleData(type)
}

function settleTrigger(outputs: JsonObject): Settlement {
  const reason = findTriggerFault(outputs)
  return reason === undefined ? { kind: 'triggered' } : { kind: 'invalid', reason }
}

/** Only accepts this class, so that a class without a rule does not compile. */
function settleData(_: StepTypeOf<'data'>): Settlement {
  return { kind: 'stored' }
}

function settleMessage(type: MessageType, outputs: JsonObject, context: SettlementContext): Settlement {
  const { critical, preferences } = context
  const { enabled, source } = resolvePreference({ ...preferences, critical }, type)
  if (!enabled) return { kind: 'filtered', source }
  const reason = findMessageFault(type, outputs)
  return reason === undefined ? { kind: 'delivered' } : { kind: 'unsendable', reason }
}

function settleTiming(
  type: StepTypeOf<'wait' | 'throttle'>,
  given: JsonObject,
  context: SettlementContext,
): Settlement {
  const { nowMs, payload, schedule } = context
  const isWait = isOfClass(type, 'wait')
  const fault = type === 'wait_for_event' ? findEventWaitFault(given) : undefined
  if (fault !== undefined) return { kind: 'invalid', reason: fault }
  const outputs = toTiming(type, given, context.overrides)
  const timezoneInvalid = context.timezone !== null && !isTimezone(context.timezone)
  const timezone = timezoneInvalid ? 'UTC' : (context.timezone ?? 'UTC')
  if (!isWait && isIncomplete(outputs)) return { kind: 'unthrottled' }
  const end = toWaitEnd(outputs, { fromMs: nowMs, payload, timezone })
  if (typeof end === 'string') return { kind: 'invalid', reason: end }
  const extend = isWait && outputs['extendToSchedule'] === true
  const endMs = extend ? toScheduledTime(schedule, end, timezone) : end
  const wait = { endMs, extended: endMs !== end, timezoneInvalid }
  return { kind: type, wait }
}

function toTiming(type: StepType, given: JsonObject, overrides: JsonObject): JsonObject {
  if (type === 'wait_for_event') return toTimeout(given)
  return type === 'delay' ? withOverride(given, overrides) : given
}

/** Replaces the duration from the code, if it has one, with the duration in the trigger's overrides. */
function withOverride(outputs: JsonObject, overrides: JsonObject): JsonObject {
  const { delay } = overrides
  if (typeof delay !== 'object' || delay === null || !('amount' in outputs)) return outputs
  const { amount, unit } = delay as JsonObject
  return amount === undefined || unit === undefined ? outputs : { ...outputs, amount, unit }
}

function isIncomplete({ amount, unit, dynamicKey }: JsonObject): boolean {
  return typeof dynamicKey !== 'string' && (typeof amount !== 'number' || typeof unit !== 'string')
}

/**
 * Returns the failure of a step whose output the service cannot use.
 *
 * @param step - The failed step.
 * @param settlement - Why its output cannot be used.
 * @example
 * toSettlementFault({ stepId: 'wait', type: 'delay' }, { kind: 'invalid', reason: 'amount and unit are missing' })
 */
export function toSettlementFault(
  { stepId, type }: StepData,
  { kind, reason }: Extract<Settlement, { readonly reason: string }>,
): SettlementFault {
  return {
    code: 'ExecutionStateOutputInvalidError',
    status: 400,
    message: `Step "${stepId}" cannot ${toVerb(type, kind)}: ${reason}.`,
    data: { stepId, type, issues: [{ path: '', message: reason }] },
  }
}

function toVerb(type: StepType, kind: 'invalid' | 'unsendable'): string {
  if (kind === 'unsendable') return 'be sent'
  return isOfClass(type, 'trigger') ? 'trigger a workflow' : 'wait'
}
