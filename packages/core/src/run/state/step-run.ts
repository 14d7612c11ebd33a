import type { CleanHtml } from '@trestle/html/clean'
import type { Hmac, JsonObject, StepState, Subscriber, Warning } from '@trestle/protocol'
import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import type { ReceivedEvent } from '../../call/bridge-event.ts'
import type { ShownRunData } from '../../discovery/samples/sample-run-data.ts'
import type { Account } from '../../trigger/account.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import type { LazySignal } from './lazy-signal.ts'
import type { MemoizedSteps } from './memoized-steps.ts'

/** The inputs of a run, shared by all its steps. */
export interface RunScope {
  readonly workflow: RegisteredWorkflow
  /** The id of the requested step. */
  readonly stepId: string
  /** The call's body. */
  readonly event: ReceivedEvent
  /** The payload as the workflow function receives it, with defaults and transforms applied. */
  readonly payload: JsonObject
  /** The recipient as the workflow function receives it. */
  readonly subscriber: Subscriber
  /** The environment's variables as the workflow function receives them. */
  readonly env: unknown
  /** The workflow's own controls, which are the defaults of their schema. */
  readonly controls: unknown
  /** The stored results, newest first, one per step. */
  readonly stored: readonly StepState[]
  /** The steps by id: those with a stored result, and those that were called. */
  readonly memoizedSteps: MemoizedSteps
  /** Sample data, if the step is only previewed. */
  readonly sampleData: ShownRunData | undefined
  /** When the call arrived, milliseconds since 1970. */
  readonly nowMs: number
  /** Sample results of earlier steps, in a preview. */
  sampleResults: Map<string, JsonObject> | undefined
  /** Aborts at the deadline. */
  readonly abort: LazySignal
  /** Returns the account of the service that made the call. */
  readonly account: () => Account
  /** The HMAC for idempotency keys. */
  readonly hmac: Hmac
  /** Steps without a stored result that the run has called, including the requested one; created on demand. */
  reached: StepCall[] | undefined
  /** Calls of steps whose manifests the service does not have; created on demand. */
  described: StepCall[] | undefined
  /** Failed steps whose failure the function receives; created on demand. */
  handled: string[] | undefined
  /** Warnings of the reply; created on demand, see `addWarning`. */
  warnings: Warning[] | undefined
  /**
   * Receives errors from user code and the error code of the response; no code if the error did not affect the
   * response. Without a step, the error is reported for the requested one.
   */
  onError(error: unknown, code: string | undefined, step?: StepCall): void
}

/** The requested step and its run. */
export interface StepRun {
  /** The run it belongs to. */
  readonly scope: RunScope
  readonly call: StepCall
  /** The progress of the run. */
  readonly progress: {
    /** The current phase of the call, for the error message at the deadline. */
    phase: string
    /** Whether the run has ended in the meantime, so that no more work may be started. */
    readonly ended: boolean
    /** The step's sanitized HTML, if anything was removed. */
    cleaned?: CleanHtml
  }
}

/** The outcome of a run that did not fail. */
export interface StepOutcome {
  readonly outputs: JsonObject
  readonly providers: JsonObject
  readonly skip: boolean
  /** Set if the run did not reach the step. */
  readonly reached?: false
  /** The step's sanitized HTML, if anything was removed. */
  readonly cleaned?: CleanHtml
}

/** The outcome of a skipped step. */
export const skipped: StepOutcome = Object.freeze({
  outputs: Object.freeze({}),
  providers: Object.freeze({}),
  skip: true,
})

/** The outcome of a step that the run did not reach. */
export const notReached: StepOutcome = Object.freeze({ ...skipped, reached: false as const })
