/** How a run stands. */
export type RunStatus = 'running' | 'completed' | 'failed' | 'merged' | 'canceled'

/** How a step stands. */
export type StepStatus =
  | 'pending'
  | 'queued'
  | 'running'
  | 'delayed'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'merged'
  | 'skipped'

/** A step of a run, as a list has it. */
export interface RunStep {
  /** Row id. */
  readonly _id: string
  /** The step's own identifier. */
  readonly stepId: string
  /** The kind of step. */
  readonly type: string
  /** How it stands. */
  readonly status: StepStatus
  /** Steps of one wave run side by side. */
  readonly wave: number
  /** When its wait ends. */
  readonly dueAt: string | null
}

/** A run, as a list has it. */
export interface RunLine {
  /** Row id. */
  readonly _id: string
  /** The workflow's identifier. */
  readonly workflowId: string
  /** The workflow's name. */
  readonly workflowName: string
  /** The run's transaction. */
  readonly transactionId: string
  /** The recipient's identifier. */
  readonly subscriberId: string
  /** How it stands. */
  readonly status: RunStatus
  /** When it began. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
  /** When its last step ended. */
  readonly finishedAt: string | null
  /** Its steps in their order. */
  readonly steps: readonly RunStep[]
}

/** Why a step failed. */
export interface StepError {
  /** Stable code. */
  readonly code?: string
  /** What is wrong. */
  readonly message?: string
  /** HTTP status of the failure. */
  readonly status?: number
  /** Details whose shape the code decides. */
  readonly data?: unknown
}

/** A step of a run with all there is of it. */
export interface WholeStep extends RunStep {
  /** `sending` while its messages are on their way to providers. */
  readonly stage: string | null
  /** What the bridge answered. */
  readonly outputs: Readonly<Record<string, unknown>> | null
  /** What later steps see of it. */
  readonly result: Readonly<Record<string, unknown>> | null
  /** Why it failed. */
  readonly error: StepError | null
  /** When the bridge was asked. */
  readonly calledAt: string | null
  /** When it ended. */
  readonly endedAt: string | null
}

/** One thing that happened in a run. */
export interface RunDetail {
  /** Row id. */
  readonly _id: string
  /** The step; null for the run itself. */
  readonly _jobId: string | null
  /** `Success`, `Warning`, `Failed`, `Pending` or `Queued`. */
  readonly status: string
  /** What happened. */
  readonly detail: string
  /** Data about it. */
  readonly raw: unknown
  /** When it happened. */
  readonly createdAt: string
}

/** A call of the bridge, secrets masked. */
export interface BridgeCall {
  /** Row id. */
  readonly _id: string
  /** The step it was for. */
  readonly _jobId: string | null
  /** Where to. */
  readonly url: string
  /** What was sent. */
  readonly request: unknown
  /** What came back. */
  readonly reply: unknown
  /** HTTP status of the outcome. */
  readonly status: number | null
  /** How long it took, milliseconds. */
  readonly durationMs: number
  /** When it began. */
  readonly createdAt: string
}

/** A message that a run stored. */
export interface RunMessage {
  /** Row id. */
  readonly _id: string
  /** The step that made it. */
  readonly _jobId: string
  /** `in_app`, `email`, ... */
  readonly channel: string
  /** `sent`, `error` or `warning`. */
  readonly status: string
  /** Why it was not delivered. */
  readonly errorText?: string
}

/** A run with everything that belongs to it. */
export interface WholeRun extends Omit<RunLine, 'steps'> {
  /** Whether its workflow is still there. */
  readonly workflowExists: boolean
  /** The trigger's data. */
  readonly payload: Readonly<Record<string, unknown>>
  /** The trigger's overrides. */
  readonly overrides: Readonly<Record<string, unknown>>
  /** The recipient as it was. */
  readonly to: Readonly<Record<string, unknown>>
  /** Who caused it. */
  readonly actor: Readonly<Record<string, unknown>> | null
  /** The tenant as it was. */
  readonly tenant: Readonly<Record<string, unknown>> | null
  /** The contexts as they were. */
  readonly context: Readonly<Record<string, unknown>> | null
  /** The topics that led to it. */
  readonly topics: readonly { readonly topicKey?: string }[]
  /** The run whose digest took this one in. */
  readonly digestedRunId: string | null
  /** Its steps in their order. */
  readonly steps: readonly WholeStep[]
  /** What happened, in order. */
  readonly details: readonly RunDetail[]
  /** The calls of the bridge, in order. */
  readonly calls: readonly BridgeCall[]
  /** The messages that were stored. */
  readonly messages: readonly RunMessage[]
}

/** What became of a trigger. */
export interface TriggerLine {
  /** Row id. */
  readonly _id: string
  /** How it stands; `done` says that all its runs are made. */
  readonly status: 'accepted' | 'processing' | 'done' | 'duplicate' | 'failed' | 'canceled'
  /** Why it failed. */
  readonly error: string | null
}
