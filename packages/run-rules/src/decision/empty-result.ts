import type { JsonObject, StepType } from '@trestle/protocol'

const nothing = (): JsonObject => ({})

const empty: Readonly<Record<StepType, () => JsonObject>> = {
  email: nothing,
  sms: nothing,
  push: nothing,
  chat: nothing,
  tool: nothing,
  custom: nothing,
  http_request: nothing,
  in_app: () => ({ seen: false, read: false, lastSeenDate: null, lastReadDate: null }),
  digest: () => ({ events: [], eventCount: 0 }),
  delay: () => ({ duration: 0 }),
  wait_for_event: () => ({ received: false, payload: null }),
  throttle: () => ({ throttled: false }),
  trigger: () => ({ status: 'skipped', transactionId: null, runs: [] }),
}

/**
 * Returns the result of a step that was skipped or has failed.
 *
 * @param type - The step type.
 * @example
 * toEmptyResult('digest') // { events: [], eventCount: 0 }
 */
export function toEmptyResult(type: StepType): JsonObject {
  return empty[type]()
}
