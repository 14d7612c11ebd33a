import type { Severity } from './channel.ts'
import type { ContextMap } from './context.ts'
import type { JsonObject } from './json-object.ts'
import type { Subscriber } from './subscriber.ts'
import type { StepType, WorkflowPreferences } from './workflow.ts'

/** A step to store. */
export interface StepInput {
  /** The service's id, of a step that is kept. */
  readonly _id?: string | undefined
  /** Its identifier within the workflow. @default made from the name */
  readonly stepId?: string | undefined
  /** Name for people. */
  readonly name: string
  /** The type. */
  readonly type: StepType
  /** The values of the controls. */
  readonly controlValues?: object | null | undefined
  /** What is sent to single providers instead. */
  readonly providerOverrides?: object | null | undefined
}

/** The fields of a workflow that may be set at any time. */
export interface WorkflowFields {
  /** The purpose, in words. */
  readonly description?: string | undefined
  /** Tags. */
  readonly tags?: readonly string[] | undefined
  /** Whether it runs. @default false */
  readonly active?: boolean | undefined
  /** Whether payloads are checked against the schema. */
  readonly validatePayload?: boolean | undefined
  /** The JSON schema of the payload. */
  readonly payloadSchema?: object | null | undefined
  /** Whether its texts are translated. */
  readonly isTranslationEnabled?: boolean | undefined
}

/** A new workflow. */
export interface NewWorkflow extends WorkflowFields {
  /** The identifier. */
  readonly workflowId: string
  /** Name for people. */
  readonly name: string
  /** The steps. */
  readonly steps: readonly StepInput[]
  /** How urgent its messages are. */
  readonly severity?: Severity | undefined
  /** The preferences. */
  readonly preferences?:
    | {
        readonly user?: WorkflowPreferences | null | undefined
        readonly workflow?: WorkflowPreferences | null | undefined
      }
    | undefined
  /** Where it comes from, for statistics. */
  readonly __source?: string | undefined
}

/** The new version of a workflow; a step that is left out is deleted. */
export interface WorkflowUpdate extends WorkflowFields {
  /** The identifier. */
  readonly workflowId?: string | undefined
  /** Name for people. */
  readonly name: string
  /** The steps. */
  readonly steps: readonly StepInput[]
  /** The preferences. */
  readonly preferences: {
    readonly user?: WorkflowPreferences | null | undefined
    readonly workflow?: WorkflowPreferences | null | undefined
  }
  /** How urgent its messages are. */
  readonly severity?: Severity | undefined
}

/** A change of some fields of a workflow. */
export interface WorkflowPatch extends WorkflowFields {
  /** Name for people. */
  readonly name?: string | undefined
}

/** The data a preview is rendered with. */
export interface PreviewPayload {
  /** The recipient. */
  readonly subscriber?: Partial<Subscriber> | undefined
  /** Who caused the notification. */
  readonly actor?: Partial<Subscriber> | undefined
  /** The payload of the trigger. */
  readonly payload?: object | undefined
  /** Results of earlier steps, by step id. */
  readonly steps?: object | undefined
  /** The contexts. */
  readonly context?: ContextMap | undefined
  /** Environment variables. */
  readonly env?: object | undefined
}

/** A preview to render. */
export interface PreviewBody {
  /** Control values instead of the stored ones. */
  readonly controlValues?: object | undefined
  /** The data. */
  readonly previewPayload?: PreviewPayload | undefined
}

/** A rendered preview. */
export interface Preview {
  /** An example of the data. */
  readonly previewPayloadExample: PreviewPayload
  /** The JSON schema of the example. */
  readonly schema?: JsonObject | null
  /** The rendered content; its fields depend on the type of step and are not specified. */
  readonly result: JsonObject
}
