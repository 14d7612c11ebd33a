import type { StepType } from '@trestle/protocol'
import type { Flag, Id, JsonText, Millis } from './column.ts'

/** A workflow: synced from a bridge (`external`), or stored through the API. */
export interface WorkflowRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The identifier by which triggers select the workflow; unique in the environment. */
  identifier: string
  name: string
  description: string | null
  origin: 'external' | 'api'
  /** Whether triggers create runs. */
  active: Flag
  /** Whether the workflow is an API v1 draft. */
  draft: Flag
  /** Whether the workflow is critical: subscribers cannot disable it. */
  critical: Flag
  /** `none`, `low`, `medium` or `high`. */
  severity: string
  /** A list of strings. */
  tags: JsonText
  /** Row id of the workflow's group. */
  groupId: Id | null
  /** JSON Schema of the payload. */
  payloadSchema: JsonText | null
  /** Whether trigger payloads are validated. */
  validatePayload: Flag
  /** The preferences defined in code: `{ all?, channels? }`. */
  preferences: JsonText
  /** The preferences stored through the API, which override those in the code. */
  userPreferences: JsonText | null
  /** The events that cancel its runs, a list; null if there are none. */
  cancelOn: JsonText | null
  /** The workflow's steps in order: a list of {@link StoredStep}. */
  steps: JsonText
  /** The bridge's description at the last sync: the workflow's entry in the discover response. */
  manifest: JsonText | null
  /** Whether the bridge decides the next step of a run. */
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

/** A step stored in a workflow's row. */
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
  /** Whether the step runs only for some payloads. */
  readonly conditional: boolean
  /** Steps with the same number run in parallel. */
  readonly parallelGroup: number | null
  /** Additional fields from the bridge or a caller. */
  readonly extra: Readonly<Record<string, unknown>>
}

/** The stored control values of a step; they are kept across syncs. */
export interface StepControlRow {
  /** Row id of the workflow. Primary key with `stepId`. */
  workflowId: Id
  stepId: string
  /** The environment it belongs to. */
  environmentId: Id
  /** The values, an object. */
  controls: JsonText
  /** When it was last changed. */
  updatedAt: Millis
}

/** A saved version of a step's control values. */
export interface StepControlVersionRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the workflow. */
  workflowId: Id
  stepId: string
  /** The values, an object. */
  controls: JsonText
  /** Who saved them. */
  by: string | null
  /** When they were saved. */
  createdAt: Millis
}

/** A warning for the author of a workflow, detected at a sync or during a run. */
export interface WorkflowWarningRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the workflow. */
  workflowId: Id
  /** The kind of warning. Unique with `workflowId` and `stepId`. */
  code: string
  /** The step id; empty for the whole workflow. */
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
  name: string | null
  /** Free-form data, an object. */
  data: JsonText | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A workflow's settings for one tenant. */
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
