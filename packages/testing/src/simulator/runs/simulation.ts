import type { JsonObject } from '@trestle/protocol'
import type { StepFailure, StepStatus } from '../../report/run-report.ts'
import type { RunContext } from '../calls/run-context.ts'
import type { Alarms } from '../timing/alarms.ts'
import type { DigestBuffer } from '../timing/digest-buffer.ts'
import type { EventHub } from '../timing/event-hub.ts'
import type { ThrottleCounter } from '../timing/throttle-counter.ts'

/** The parts that all triggers of a run share. */
export interface Simulation extends RunContext {
  readonly alarms: Alarms
  readonly digests: DigestBuffer
  readonly events: EventHub
  readonly throttles: ThrottleCounter
}

/** How a step ended, and what follows. */
export interface Settlement {
  /** How the step ended, or how it will end after its wait. */
  readonly status: StepStatus
  /** Returns the result to store; called at the end of the wait. */
  readonly result: () => JsonObject
  /** When the wait ends, milliseconds since 1970; absent without a wait. */
  readonly untilMs?: number
  /** The output of a step that waits for an event. */
  readonly awaited?: JsonObject
  readonly error?: StepFailure
  /** The final status of later steps that are not called. */
  readonly rest?: 'skipped' | 'merged'
}
