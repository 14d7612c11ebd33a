import type { JsonObject, NextEvent, NextReply, StepReply, StepType } from '@trestle/protocol'
import type { BridgeTarget } from './bridge-target.ts'

/** A failure of a bridge call, as classified by the bridge client. */
export interface BridgeFailure {
  /** A code from the bridge client, or the bridge's own. */
  readonly code: string
  /** The HTTP status of the failure. */
  readonly status: number
  /** The message, safe to show. */
  readonly message: string
  /** Details of the bridge's own error; `null` for other failures. */
  readonly data: unknown
}

/** A failed attempt that was retried. */
export interface FailedAttempt {
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** The reason. */
  readonly code: string
  /** The HTTP status of the failure. */
  readonly status: number
  /** The delay before the next attempt, in milliseconds; `null` if there was none. */
  readonly waitMs: number | null
}

/** The human-readable record of a call. Secrets are masked. */
export interface BridgeRecord {
  /** The URL of the bridge, without credentials and query. */
  readonly url: string
  /** The request: action, workflow, step and event. */
  readonly request: JsonObject
  /** The reply or the failure. */
  readonly reply: JsonObject
  /** The HTTP status of the outcome. */
  readonly status: number
  /** The total duration of all attempts, in milliseconds. */
  readonly durationMs: number
  /** The failed attempts, in order. */
  readonly attempts: readonly FailedAttempt[]
}

/**
 * Outputs in which double braces from data are escaped (`markBraces`), so that they are not treated as translations.
 */
export type MarkedTexts = Pick<StepReply, 'outputs' | 'providers'>

/** The outcome of a call. */
export interface BridgeOutcome<TReply = StepReply> {
  /** The reply; absent if the call failed. */
  readonly reply?: TReply
  /** The reply's texts for messages; absent if there are none. */
  readonly marked?: MarkedTexts
  /** The failure; absent if the call succeeded. */
  readonly failure?: BridgeFailure
  /** The record of the call. */
  readonly record: BridgeRecord
}

/** A step of a workflow that was created through the API. */
export interface ComposedStep {
  readonly type: StepType
  /** Overrides by provider id. */
  readonly providers: JsonObject
}

/** The workflow to call, with its event. */
export interface BridgeRunCall {
  /** The environment and its bridge. */
  readonly target: BridgeTarget
  /** The bridge URL from the trigger, if it replaces the environment's. */
  readonly bridgeUrl: string | null
  readonly workflowId: string
  /** The event, without `env`, which comes from the target's variables. */
  readonly event: Omit<Partial<NextEvent>, 'env'>
  /** Cancels the call. */
  readonly signal?: AbortSignal
  /** Called after a failed attempt that is retried. */
  readonly onRetry?: (attempt: FailedAttempt) => void
}

/** A step to execute or preview. */
export interface BridgeStepCall extends BridgeRunCall {
  /** Whether to execute the step or to preview it on sample data. */
  readonly action: 'execute' | 'preview'
  /** The step id within the workflow. */
  readonly stepId: string
  /** The step to be rendered by the service; absent if a bridge renders it. */
  readonly composed?: ComposedStep | undefined
}

/** Calls bridges for the engine. */
export interface BridgePort {
  /**
   * Calls a bridge for one step, with the retries defined in the specification.
   *
   * @returns The outcome. The promise does not reject if the bridge fails.
   * @throws The signal's reason, if it aborts.
   */
  callStep(call: BridgeStepCall): Promise<BridgeOutcome>
  /**
   * Calls a bridge for the next steps of a run, with the retries defined in the specification.
   *
   * @returns The outcome. A failure of the bridge does not reject.
   * @throws The reason of the signal, if it aborts.
   */
  callRun(call: BridgeRunCall): Promise<BridgeOutcome<NextReply>>
}
