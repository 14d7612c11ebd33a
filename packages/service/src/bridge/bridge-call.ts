import type { JsonObject, NextEvent, NextReply, StepReply, StepType } from '@trestle/protocol'
import type { BridgeTarget } from './bridge-target.ts'

/** A failure of a bridge call, as the client of bridges classified it. */
export interface BridgeFailure {
  /** A code of the client's tables, or the bridge's own. */
  readonly code: string
  /** HTTP status of the failure. */
  readonly status: number
  /** The message that may be shown. */
  readonly message: string
  /** Details of the bridge's own error; `null` for every other failure. */
  readonly data: unknown
}

/** An attempt that failed before another followed. */
export interface FailedAttempt {
  /** Counted from 1. */
  readonly attempt: number
  /** Why it failed. */
  readonly code: string
  /** HTTP status of the failure. */
  readonly status: number
  /** How long the client waited before the next attempt, milliseconds; `null` when none followed. */
  readonly waitMs: number | null
}

/** The record of a call for people to look at. Secrets are masked. */
export interface BridgeRecord {
  /** The bridge's address, without user info and query. */
  readonly url: string
  /** The request: action, workflow, step and event. */
  readonly request: JsonObject
  /** The answer, or the failure. */
  readonly reply: JsonObject
  /** HTTP status of the outcome. */
  readonly status: number
  /** How long it took with all attempts, milliseconds. */
  readonly durationMs: number
  /** The attempts that failed, in order. */
  readonly attempts: readonly FailedAttempt[]
}

/** Texts in which pairs of braces that are data are marked (`markBraces`), so that no translation is put in their place. */
export type MarkedTexts = Pick<StepReply, 'outputs' | 'providers'>

/** How a call ended. */
export interface BridgeOutcome<TReply = StepReply> {
  /** The answer; absent when the call failed. */
  readonly reply?: TReply
  /** Its texts as messages are made of them; absent if it has none. */
  readonly marked?: MarkedTexts
  /** The failure; absent when the bridge answered. */
  readonly failure?: BridgeFailure
  /** The record of the call. */
  readonly record: BridgeRecord
}

/** A step of a workflow that was stored through the API. */
export interface ComposedStep {
  /** The kind of step. */
  readonly type: StepType
  /** Overrides for providers, by their ids. */
  readonly providers: JsonObject
}

/** The workflow to be called, with the event it receives. */
export interface BridgeRunCall {
  /** Whose bridge. */
  readonly target: BridgeTarget
  /** Another address than the environment's, where the trigger named one. */
  readonly bridgeUrl: string | null
  /** The workflow's id. */
  readonly workflowId: string
  /** The event, without `env`, which the target's variables make. */
  readonly event: Omit<Partial<NextEvent>, 'env'>
  /** Ends the call. */
  readonly signal?: AbortSignal
  /** Called when an attempt failed that is repeated. */
  readonly onRetry?: (attempt: FailedAttempt) => void
}

/** A step to be executed or previewed. */
export interface BridgeStepCall extends BridgeRunCall {
  /** Whether the step runs, or is only shown on sample data. */
  readonly action: 'execute' | 'preview'
  /** The step's id. */
  readonly stepId: string
  /** The step as the service renders it; absent where a bridge does. */
  readonly composed?: ComposedStep | undefined
}

/** The engine's way to bridges. */
export interface BridgePort {
  /**
   * Calls a bridge for one step, with the specification's attempts.
   *
   * @returns How it ended; a failure of the bridge does not reject.
   * @throws The reason of the signal, when it aborts.
   */
  callStep(call: BridgeStepCall): Promise<BridgeOutcome>
  /**
   * Asks a bridge what a run does next, with the specification's attempts.
   *
   * @returns How it ended; a failure of the bridge does not reject.
   * @throws The reason of the signal, when it aborts.
   */
  callRun(call: BridgeRunCall): Promise<BridgeOutcome<NextReply>>
}
