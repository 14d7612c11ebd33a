import type { StepType } from '@trestle/protocol'
import type { Flag, Id, JsonText, Millis } from './column.ts'

/** A workflow: synced from a bridge (`external`), or stored through the API. */
export interface WorkflowRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The identifier that triggers name; unique in the environment. */
  identifier: string
  /** Its name. */
  name: string
  /** Its description. */
  description: string | null
  /** Where it comes from. */
  origin: 'external' | 'api'
  /** Whether triggers start runs. */
  active: Flag
  /** Whether it is a draft of version 1 of the API. */
  draft: Flag
  /** Whether it is critical: subscribers cannot disable it. */
  critical: Flag
  /** `none`, `low`, `medium` or `high`. */
  severity: string
  /** A list of strings. */
  tags: JsonText
  /** Row id of its group. */
  groupId: Id | null
  /** JSON Schema of the payload. */
  payloadSchema: JsonText | null
  /** Whether payloads of triggers are validated. */
  validatePayload: Flag
  /** The preferences in the code: `{ all?, channels? }`. */
  preferences: JsonText
  /** The preferences stored through the API, which override those in the code. */
  userPreferences: JsonText | null
  /** The events that cancel its runs, a list; null if there are none. */
  cancelOn: JsonText | null
  /** Its steps in order: a list of {@link StoredStep}. */
  steps: JsonText
  /** The bridge's description at the last sync: the entry of the discover response. */
  manifest: JsonText | null
  /** Whether its bridge decides the next step of a run. */
  next: Flag
  /** Additional fields from callers, an object. */
  extra: JsonText
  /** When it was last triggered. */
  lastTriggeredAt: Millis | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A step in a workflow's row. */
export interface StoredStep {
  /** Row id of the step; kept for its `stepId` across syncs. */
  readonly id: Id
  /** The step id in code and state; unique in the workflow. */
  readonly stepId: string
  readonly name: string
  /** The type of the step. */
  readonly type: StepType
  /** JSON Schema of its controls. */
  readonly controlSchema: Readonly<Record<string, unknown>>
  /** Whether only some payloads reach it. */
  readonly conditional: boolean
  /** Steps with the same number run in parallel. */
  readonly parallelGroup: number | null
  /** Additional fields from the bridge or a caller. */
  readonly extra: Readonly<Record<string, unknown>>
}

/** The stored control values of a step; they survive syncs. */
export interface StepControlRow {
  /** Row id of the workflow. Primary key with `stepId`. */
  workflowId: Id
  /** The step id. */
  stepId: string
  /** The environment it belongs to. */
  environmentId: Id
  /** The values, an object. */
  controls: JsonText
  /** When it was last changed. */
  updatedAt: Millis
}

/** Control values that were saved for a step. */
export interface StepControlVersionRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the workflow. */
  workflowId: Id
  /** The step id. */
  stepId: string
  /** The values, an object. */
  controls: JsonText
  /** Who saved them. */
  by: string | null
  /** When they were saved. */
  createdAt: Millis
}

/** A warning for the author of a workflow, found at a sync or during a run. */
export interface WorkflowWarningRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the workflow. */
  workflowId: Id
  /** The kind of warning. Unique with `workflowId` and `stepId`. */
  code: string
  /** The step; empty for the whole workflow. */
  stepId: string
  /** The human-readable warning. */
  message: string
  /** The number of occurrences. */
  count: number
  /** When it first occurred. */
  createdAt: Millis
  /** When it last occurred. */
  updatedAt: Millis
}

/** A group of workflows. */
export interface WorkflowGroupRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Its name; unique in the environment. */
  name: string
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A tenant: a customer of the app, to which recipients belong. */
export interface TenantRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The identifier, chosen by the caller; unique in the environment. */
  identifier: string
  /** Its name. */
  name: string | null
  /** Free-form data, an object. */
  data: JsonText | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** The settings of a workflow for one tenant. */
export interface WorkflowOverrideRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the workflow. Unique with `tenantId`. */
  workflowId: Id
  /** Row id of the tenant. */
  tenantId: Id
  /** Whether the workflow is active for the tenant. */
  active: Flag
  /** The enabled channels, `{ email?: boolean, ... }`. */
  preferenceSettings: JsonText
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}
