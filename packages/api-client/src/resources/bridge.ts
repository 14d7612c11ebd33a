import type { Severity } from './channel.ts'
import type { JsonObject } from './json-object.ts'
import type { WorkflowPreferences } from './workflow.ts'

/** The JSON schema of a value: as it is published, and as the author's library has it. */
export interface SchemaPair {
  /** The JSON schema. */
  readonly schema?: JsonObject
  /** The schema the author wrote, where it can be shown. */
  readonly unknownSchema?: JsonObject
}

/** A workflow as a bridge describes it; the fields that are listed are those every bridge has. */
export interface BridgeWorkflow {
  /** The identifier. */
  readonly workflowId: string
  /** Name for people. */
  readonly name?: string
  /** The purpose, in words. */
  readonly description?: string
  /** How urgent its messages are. */
  readonly severity?: Severity
  /** The steps. */
  readonly steps: readonly {
    readonly stepId: string
    readonly type: string
    readonly controls: SchemaPair
    readonly outputs: SchemaPair
    readonly results: SchemaPair
    readonly code?: string
    readonly options?: JsonObject
    readonly providers?: readonly JsonObject[]
  }[]
  /** The source of its function. */
  readonly code?: string
  /** The JSON schema of the payload. */
  readonly payload?: { readonly schema?: JsonObject }
  /** The JSON schema of the controls. */
  readonly controls?: { readonly schema?: JsonObject }
  /** The JSON schema of the environment variables. */
  readonly env?: { readonly schema?: JsonObject }
  /** The preferences. */
  readonly preferences?: WorkflowPreferences
  /** Tags. */
  readonly tags?: readonly string[]
}

/** Whether an address leads to a bridge. */
export interface BridgeValidation {
  /** Whether it does. */
  readonly isValid: boolean
  /** Why it does not; the fields are not specified. */
  readonly error?: JsonObject
}

/** The workflows of a bridge at one time. */
export interface BridgeState {
  /** The workflows. */
  readonly workflows: readonly BridgeWorkflow[]
  /** The address of the bridge. */
  readonly bridgeUrl?: string | undefined
}

/** The difference between the stored workflows and a bridge's. */
export interface BridgeDiff {
  /** The stored state. */
  readonly current: BridgeState
  /** The state of the bridge. */
  readonly new: BridgeState
}

/** The health of the stored bridge. */
export interface BridgeStatus {
  /** Whether it answers. */
  readonly status: 'ok' | 'error'
  /** The version of its framework's package. */
  readonly sdkVersion?: string
  /** The version of the wire format. */
  readonly frameworkVersion?: string
  /** How many workflows and steps it has. */
  readonly discovered?: { readonly workflows: number; readonly steps: number }
}

/** The data of a preview by the bridge. */
export interface BridgePreviewBody {
  /** The values of the controls. */
  readonly controls?: object | undefined
  /** The payload of the trigger. */
  readonly payload?: object | undefined
}

/** A step as the bridge rendered it. */
export interface BridgePreview {
  /** The outputs; their fields depend on the type of step. */
  readonly outputs: JsonObject
  /** Whether the step would be skipped. */
  readonly options?: { readonly skip?: boolean }
  /** The outcome of the execution. */
  readonly metadata?: { readonly status?: string; readonly error?: boolean; readonly duration?: number }
  /** Overrides by provider. */
  readonly providers?: JsonObject
}
