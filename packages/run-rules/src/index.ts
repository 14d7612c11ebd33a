export { findCancelOnFault, toCancelKeys } from './decision/cancel-on.ts'
export {
  type ChildRun,
  type ChildStatus,
  childLimits,
  type EndedChildren,
  recipientTextFields,
  toChildrenResult,
  toChildTransactionId,
  toDepthFault,
  toDescendantsFault,
  toRecipientFault,
  toTriggeredResult,
} from './decision/child-runs.ts'
export {
  type DigestBucket,
  type DigestEvent,
  type DigestTurn,
  decideDigest,
  toDigestResult,
  toLookBackEnd,
} from './decision/digest.ts'
export { toEmptyResult } from './decision/empty-result.ts'
export {
  eventLimits,
  eventWindowMs,
  findEventFault,
  isEventName,
  isLeftAtEnd,
  isMatch,
  toEventKeys,
  toMatchKeys,
} from './decision/event-wait.ts'
export {
  type PreferenceLayer,
  type PreferenceSources,
  type PreferenceVerdict,
  resolvePreference,
} from './decision/preference.ts'
export { toRetryWait } from './decision/retry.ts'
export {
  type SettledWait,
  type Settlement,
  type SettlementContext,
  type SettlementFault,
  settleReply,
  toSettlementFault,
} from './decision/settlement.ts'
export { type CountedRun, countRun, type ThrottleWindow } from './decision/throttle.ts'
export { isTimezone } from './time/cron-time.ts'
export type { Schedule, ScheduleDay } from './time/schedule.ts'
