import type {
  AwaitedTriggerResult,
  DelayResult,
  DigestEvent,
  DigestResult,
  EventResult,
  HandlerContext,
  InAppResult,
  ThrottleResult,
  TriggerStepResult,
} from '@trestle/core'
import { isOfClass, type JsonObject, stepTypes, toStepName } from '@trestle/protocol'

/** A step failure, as returned by {@link failure}. */
export interface Failure {
  /** The error that the handler throws. */
  readonly failure: unknown
}

// Registered, so that another copy of this package recognizes it; a result can have a field named `failure`.
const failureMark = Symbol.for('@trestle/testing/failure')

/** Replaces a step: receives its rendered and validated controls, and returns the step's result or throws. */
export type StepStubFunction = (controls: JsonObject, context: HandlerContext) => JsonObject | Promise<JsonObject>

/**
 * Replaces a step: its result, its failure, or a function that returns one of them. The handler of a custom step or an
 * HTTP request is not run. Other handlers run to produce their message, and later steps see the stub's result.
 */
export type StepStub = JsonObject | Failure | StepStubFunction

/**
 * Returns a stub that makes a step fail: its handler throws, and the bridge responds as for any failing handler.
 *
 * @param error - The error to throw; a string becomes its message. @default 'the step was configured to fail'
 * @example
 * await bridge.run(order, { doubles: { prices: failure('no prices today') } })
 */
export function failure(error: unknown = 'the step was configured to fail'): Failure {
  return Object.freeze({ failure: typeof error === 'string' ? new Error(error) : error, [failureMark]: true })
}

/** Whether a stub is a failure. */
export function isFailure(stub: StepStub): stub is Failure {
  return failureMark in stub
}

/**
 * Whether the result of a step is the output of its handler, so that a stub replaces the handler.
 *
 * @param kind - The kind, as written in a workflow or as named on the wire.
 */
export function storesOutputs(kind: string): boolean {
  return stepTypes.some((type) => isOfClass(type, 'data') && (type === kind || toStepName(type) === kind))
}

const notRead: InAppResult = { seen: false, read: false, lastSeenDate: null, lastReadDate: null }

/** Creates typed step results by kind; missing fields get the values that the service would set. */
export const result: {
  /** Returns the result of an in-app message, for example `result.inApp({ read: true })`. */
  readonly inApp: (given?: Partial<InAppResult>) => JsonObject
  /** Returns the result of a digest that has collected triggers with these payloads. */
  readonly digest: (payloads: readonly DigestEvent['payload'][]) => JsonObject
  /** Returns the result of a delay, in milliseconds. */
  readonly delay: (duration: DelayResult['duration']) => JsonObject
  /** Returns the result of a wait for an event: received with this payload, or not received if `null`. */
  readonly waitForEvent: (payload: EventResult['payload']) => JsonObject
  /** Returns the result of a step that triggers a workflow, for example `result.trigger({ status: 'failed' })`. */
  readonly trigger: (given?: Partial<AwaitedTriggerResult | TriggerStepResult>) => JsonObject
  /** Returns the result of a throttle; `{ throttled: true }` ends the run. */
  readonly throttle: (given: ThrottleResult) => JsonObject
} = {
  inApp: (given = {}) => ({ ...notRead, ...given, seen: given.seen ?? given.read ?? false }),
  digest: (payloads) => {
    const events = payloads.map((payload, index) => ({
      id: `event-${index + 1}`,
      time: new Date(index).toISOString(),
      payload,
    }))
    return { events, eventCount: events.length } satisfies DigestResult as JsonObject
  },
  delay: (duration) => ({ duration }),
  waitForEvent: (payload) => ({ received: payload !== null, payload }),
  trigger: ({ status = 'triggered', transactionId = 'transaction', ...rest } = {}) => {
    const runs = 'runs' in rest ? rest.runs : undefined
    return { status, transactionId, ...(status !== 'triggered' && { runs: runs ?? [] }) }
  },
  throttle: (given) => ({ ...given }),
}
