import type { CleanHtml } from '@trestle/html/clean'
import type { Hmac, JsonObject, StepState, Subscriber, Warning } from '@trestle/protocol'
import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import type { ReceivedEvent } from '../../call/bridge-event.ts'
import type { ShownRunData } from '../../discovery/samples/sample-run-data.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import type { LazySignal } from './lazy-signal.ts'
import type { MemoizedSteps } from './memoized-steps.ts'

/** The inputs of a run, the same for all its steps. */
export interface RunScope {
  readonly workflow: RegisteredWorkflow
  /** The requested step. */
  readonly stepId: string
  /** The call's body. */
  readonly event: ReceivedEvent
  /** The payload as code sees it: defaults filled, transforms run. */
  readonly payload: JsonObject
  /** The recipient as code sees it. */
  readonly subscriber: Subscriber
  /** The environment's variables as code sees them. */
  readonly env: unknown
  /** The workflow's own controls: the defaults of their schema. */
  readonly controls: unknown
  /** The stored results, newest first, one for each step. */
  readonly stored: readonly StepState[]
  /** The steps by id: those with a stored result, and those called. */
  readonly memoizedSteps: MemoizedSteps
  /** Sample data, if the step is only previewed. */
  readonly sampleData: ShownRunData | undefined
  /** When the call arrived, milliseconds since 1970. */
  readonly nowMs: number
  /** Sample results of earlier steps, in a preview. */
  shown: Map<string, JsonObject> | undefined
  /** Aborts at the deadline. */
  readonly abort: LazySignal
  /** The hash for idempotency keys. */
  readonly hmac: Hmac
  /** Steps without a stored result that the run has called, including the requested one; created on demand. */
  reached: StepCall[] | undefined
  /** Calls of steps whose manifests the service lacks; created at first need. */
  described: StepCall[] | undefined
  /** Failed steps whose failure the function receives; created on demand. */
  handled: string[] | undefined
  /** Warnings of the reply; created on demand, see `addWarning`. */
  warnings: Warning[] | undefined
  /** Receives errors of user code and the code of the answer; no code if the error did not affect the answer. */
  onError(error: unknown, code: string | undefined): void
}

/** The requested step, as it was reached. */
export interface StepRun {
  /** The run it belongs to. */
  readonly scope: RunScope
  /** The step call. */
  readonly call: StepCall
  /** How far the run is. */
  readonly progress: {
    /** The phase the call is in, for the message at the deadline. */
    phase: string
    /** Whether the run has ended in the meantime, so that no more work may be started. */
    readonly ended: boolean
    /** The step's sanitized HTML, if anything was removed. */
    cleaned?: CleanHtml
  }
}

/** How a run ended that ended well. */
export interface StepOutcome {
  readonly outputs: JsonObject
  readonly providers: JsonObject
  readonly skip: boolean
  /** Present if the run did not reach the step. */
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
