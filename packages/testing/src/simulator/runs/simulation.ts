import type { JsonObject, WorkflowManifest } from '@trestle/protocol'
import type { Subscribers } from '../../context/subscriber.ts'
import type { StepFailure, StepStatus } from '../../report/run-report.ts'
import type { RunContext } from '../calls/run-context.ts'
import type { TriggerRun } from '../calls/trigger-run.ts'
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
  /** All workflows of the bridge, which steps can trigger. */
  readonly workflows: readonly WorkflowManifest[]
  readonly subscribers: Subscribers
  /** The simulations of the test, one per workflow and recipient; added to during the run. */
  readonly simulations: Map<string, Simulation>
  /** The runs that the steps of each run triggered; added to during the run. */
  readonly childrenOf: Map<TriggerRun, ChildRun[]>
}

/** A run that a step triggered. */
export interface ChildRun {
  readonly stepId: string
  readonly simulation: Simulation
  readonly run: TriggerRun
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
  /** The runs that the step triggered. */
  readonly children?: readonly ChildRun[]
  /** Whether the step ends when these runs have ended. */
  readonly awaitsChildren?: boolean
  readonly error?: StepFailure
  /** The final status of later steps that are not called. */
  readonly rest?: 'skipped' | 'merged'
  /** Registers what happens if the run of a merged event waits for the digest in the place of the run that opened it. */
  readonly whenPromoted?: (start: (atMs: number, promoted: Settlement) => void) => void
}
