import type {
  ChatOutput,
  DelayOutput,
  DigestOutput,
  EmailOutput,
  EventWaitOutput,
  InAppOutput,
  PushOutput,
  TextOutput,
  ThrottleOutput,
  TriggerOutput,
} from '@trestle/core'
import type { ErrorReply, JsonObject, StepState, StepType, Warning } from '@trestle/protocol'

/** The outputs of each kind of step, by the kind's wire name. */
export interface OutputsByType {
  readonly email: EmailOutput
  /** An SMS message. */
  readonly sms: TextOutput
  /** A push message. */
  readonly push: PushOutput
  /** A chat message. */
  readonly chat: ChatOutput
  /** An in-app message. */
  readonly in_app: InAppOutput
  /** A message to an operations tool. */
  readonly tool: TextOutput
  /** The window of a digest. */
  readonly digest: DigestOutput
  /** The length of a delay. */
  readonly delay: DelayOutput
  /** The event that a run waits for. */
  readonly wait_for_event: EventWaitOutput
  /** The limits of a throttle. */
  readonly throttle: ThrottleOutput
  /** The workflow that a step triggers, by its id. */
  readonly trigger: TriggerOutput<string>
  /** The output of a custom step. */
  readonly custom: JsonObject
  /** The output of an HTTP request step. */
  readonly http_request: JsonObject
}

/**
 * How a step ended. `merged`: the events went into the digest of an earlier trigger. `canceled`: an event canceled the run,
 * or the run of the step that triggered it, while the step waited.
 */
export type StepStatus = 'completed' | 'skipped' | 'failed' | 'merged' | 'canceled'

/** A failure as reported by the bridge: the response body, with the HTTP status. */
export interface StepFailure extends ErrorReply {
  /** The HTTP status. */
  readonly status: number
}

/** The report of one step. */
export interface StepReport<TOutputs = JsonObject> {
  readonly stepId: string
  /** The kind of step. */
  readonly type: StepType
  /** The step's final status. */
  readonly status: StepStatus
  /** Whether the bridge was called; false for later steps of a merged or throttled run. */
  readonly called: boolean
  /** The output that its handler returned; `{}` if the handler did not run or failed. */
  readonly outputs: TOutputs
  /** Overrides by provider id. */
  readonly providers: JsonObject
  /** The result that the service stores and that later steps see. */
  readonly result: JsonObject
  /** When it was called, on the test's clock, ISO 8601. */
  readonly startedAt: string
  /** When it ended, on the test's clock, ISO 8601: for a delay or a digest, the end of the wait. */
  readonly endsAt: string
  /** How long it waited on the test's clock, in milliseconds; no real time passes. */
  readonly waitMs: number
  /** How long the bridge really took, in milliseconds. */
  readonly durationMs: number
  /** How many times it was called, if it was retried after failures; absent if it was called once. */
  readonly attempts?: number
  /** The failure reported by the bridge; with several attempts, the last one. */
  readonly error?: StepFailure
}

/**
 * The mode of the simulated service. `run-driven`: it calls the steps that the run reaches. `listed`: it calls the
 * steps that discovery lists, in sequence.
 */
export type PlayedService = 'run-driven' | 'listed'

/** The report of one trigger. */
export interface RunReport {
  readonly workflowId: string
  /** The trigger's id; each execution of the same test produces the same id. */
  readonly transactionId: string
  /** The id of its recipient. */
  readonly subscriberId: string
  /**
   * `failed`: a step or the workflow function failed. `merged`: another trigger's digest merged the event. `canceled`: an
   * event of the workflow's `cancelOn` canceled the run, or the run whose step awaits it.
   */
  readonly status: 'completed' | 'failed' | 'merged' | 'canceled'
  /** The mode of the simulated service. */
  readonly service: PlayedService
  /** The steps by id, in the order in which the service called them. Steps that were not reached are absent. */
  readonly steps: Readonly<Record<string, StepReport>>
  /** The steps that sent a message, in order. */
  readonly sent: readonly StepReport[]
  /** The state that the service has stored, newest step first. */
  readonly state: readonly StepState[]
  /** The failures that the code did not handle, in order. */
  readonly errors: readonly (StepFailure & {
    /** The step that failed; absent if the run failed outside of its steps. */
    readonly stepId?: string
  })[]
  /** The time of the trigger, on the test's clock, ISO 8601. */
  readonly startedAt: string
  /** When the last step ended, on the test's clock, ISO 8601. */
  readonly endedAt: string
  /** Blocked URLs, including those that the code ignored. */
  readonly refused: readonly string[]
  /** Ids of the steps that discovery lists. */
  readonly listed: readonly string[]
  /** Ids of the steps that the run called but discovery does not list. A list-driven service never calls them. */
  readonly unlisted: readonly string[]
  /** Discovery warnings. */
  readonly warnings: readonly Warning[]
  /** The reports of the other triggers, in order. */
  readonly others: readonly RunReport[]
  /** The reports of the runs that its steps triggered, in order. */
  readonly children: readonly ChildReport[]
}

/** The report of a run that a step triggered. */
export interface ChildReport extends RunReport {
  /** The id of the step. */
  readonly stepId: string
}
