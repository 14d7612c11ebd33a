import type { Severity } from './channel.ts'
import type { JsonObject } from './json-object.ts'

/** A type of step of a workflow that lives in the service. */
export type StepType =
  | 'in_app'
  | 'email'
  | 'sms'
  | 'push'
  | 'chat'
  | 'delay'
  | 'digest'
  | 'custom'
  | 'throttle'
  | 'http_request'
  | 'tool'

/** Where a workflow is kept: in the service, in its first version, or in a bridge. */
export type WorkflowOrigin = 'novu-cloud' | 'novu-cloud-v1' | 'external'

/** The state of a workflow. */
export type WorkflowStatus = 'ACTIVE' | 'INACTIVE' | 'ERROR'

/** Whether messages are sent unless a subscriber says otherwise. */
export interface WorkflowPreferences {
  /** For all channels. */
  readonly all?: { readonly enabled?: boolean | undefined; readonly readOnly?: boolean | undefined } | undefined
  /** By channel. */
  readonly channels?: Readonly<Record<string, { readonly enabled?: boolean | undefined }>> | undefined
}

/** The preferences of a workflow: those of its author, and those set since. */
export interface WorkflowPreferencesPair {
  /** The author's. */
  readonly default: WorkflowPreferences
  /** Those set since. */
  readonly user?: WorkflowPreferences | null
}

/** A step of a workflow that lives in the service. */
export interface Step {
  /** The service's id. */
  readonly _id: string
  /** Its identifier within the workflow. */
  readonly stepId: string
  /** Name for people. */
  readonly name: string
  /** Identifier for addresses. */
  readonly slug: string
  /** The type. */
  readonly type: StepType
  /** Where it is kept. */
  readonly origin: WorkflowOrigin
  /** The workflow's identifier. */
  readonly workflowId: string
  /** The workflow, by the service's id. */
  readonly workflowDatabaseId: string
  /** The controls: values, the JSON schema they follow, and how they are shown. */
  readonly controls: { readonly values: JsonObject; readonly dataSchema?: JsonObject; readonly uiSchema?: JsonObject }
  /** The JSON schema of the variables that may be used. */
  readonly variables: JsonObject
  /** The stored values of the controls. */
  readonly controlValues?: JsonObject
  /** The issues found in it; their fields are not specified. */
  readonly issues?: JsonObject
  /** Overrides by provider. */
  readonly providerOverrides?: JsonObject
  /** The hash of its code, where a bridge executes it. */
  readonly stepResolverHash?: string
}

/** The members of every workflow that lives in the service. */
export interface WorkflowBase {
  /** The service's id. */
  readonly _id: string
  /** The identifier. */
  readonly workflowId: string
  /** Identifier for addresses. */
  readonly slug: string
  /** Name for people. */
  readonly name: string
  /** Where it is kept. */
  readonly origin: WorkflowOrigin
  /** The state. */
  readonly status: WorkflowStatus
  /** Tags. */
  readonly tags?: readonly string[]
  /** When it was created. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
  /** Who changed it last; the fields are not specified. */
  readonly updatedBy?: JsonObject
  /** When it was last published. */
  readonly lastPublishedAt?: string
  /** Who published it last; the fields are not specified. */
  readonly lastPublishedBy?: JsonObject
  /** When it was last triggered. */
  readonly lastTriggeredAt?: string | null
  /** Whether its texts are translated. */
  readonly isTranslationEnabled?: boolean
}

/** A workflow that lives in the service. */
export interface Workflow extends WorkflowBase {
  /** The steps. */
  readonly steps: readonly Step[]
  /** How urgent its messages are. */
  readonly severity: Severity
  /** The preferences. */
  readonly preferences: WorkflowPreferencesPair
  /** The purpose, in words. */
  readonly description?: string
  /** Whether it runs. */
  readonly active?: boolean
  /** Whether payloads are checked against the schema. */
  readonly validatePayload?: boolean
  /** The JSON schema of the payload. */
  readonly payloadSchema?: JsonObject | null
  /** An example of the payload. */
  readonly payloadExample?: JsonObject | null
  /** The agent it asks; the fields are not specified. */
  readonly agent?: JsonObject
  /** The issues found in it; their fields are not specified. */
  readonly issues?: JsonObject
}

/** A workflow as lists return it. */
export interface WorkflowItem extends WorkflowBase {
  /** The types of its steps. */
  readonly stepTypeOverviews: readonly string[]
  /** The steps. */
  readonly steps: readonly { readonly slug: string; readonly type: StepType; readonly issues?: JsonObject }[]
}

/** A list of workflows. */
export interface WorkflowList {
  /** The workflows. */
  readonly workflows: readonly WorkflowItem[]
  /** Number of workflows that match. */
  readonly totalCount: number
}
