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
  /** Its purpose. */
  description: string | null
  /** Where it comes from. */
  origin: 'external' | 'api'
  /** Whether triggers start runs. */
  active: Flag
  /** Whether it is a draft of the first version of the API. */
  draft: Flag
  /** Whether subscribers cannot switch it off. */
  critical: Flag
  /** `none`, `low`, `medium` or `high`. */
  severity: string
  /** A list of texts. */
  tags: JsonText
  /** Row id of its group. */
  groupId: Id | null
  /** JSON Schema of the payload. */
  payloadSchema: JsonText | null
  /** Whether a trigger's payload is checked against the schema. */
  validatePayload: Flag
  /** The preferences its code has: `{ all?, channels? }`. */
  preferences: JsonText
  /** The preferences stored through the API, which win over those of the code. */
  userPreferences: JsonText | null
  /** Its steps in order: a list of {@link StoredStep}. */
  steps: JsonText
  /** The bridge's description at the last sync: the whole entry of the discover answer. */
  manifest: JsonText | null
  /** Whether its bridge says what comes next in a run. */
  next: Flag
  /** Further fields a caller stored, as an object. */
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
  /** Identifies the row; kept by `stepId` over syncs. */
  readonly id: Id
  /** The identifier that code and state know it by; unique in the workflow. */
  readonly stepId: string
  readonly name: string
  /** The kind of step. */
  readonly type: StepType
  /** JSON Schema of its controls. */
  readonly controlSchema: Readonly<Record<string, unknown>>
  /** Whether it is reached for some payloads only. */
  readonly conditional: boolean
  /** Steps that share a number run side by side. */
  readonly parallelGroup: number | null
  /** Everything else the bridge said of the step, or a caller stored with it. */
  readonly extra: Readonly<Record<string, unknown>>
}

/** The control values stored for a step; they survive syncs. */
export interface StepControlRow {
  /** Row id of the workflow. Primary key with `stepId`. */
  workflowId: Id
  /** The step's own identifier. */
  stepId: string
  /** The environment it belongs to. */
  environmentId: Id
  /** An object. */
  controls: JsonText
  /** When it was last changed. */
  updatedAt: Millis
}

/** Something a workflow's author should know, found at a sync or while a run was processed. */
export interface WorkflowWarningRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the workflow. */
  workflowId: Id
  /** The kind of warning. Unique with `workflowId` and `stepId`. */
  code: string
  /** The step it is about; empty for the whole workflow. */
  stepId: string
  /** The finding, told for people. */
  message: string
  /** How often. */
  count: number
  /** When it was first found. */
  createdAt: Millis
  /** When it was last found. */
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

/** A tenant: whose customers the recipients are. */
export interface TenantRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The caller's own identifier; unique in the environment. */
  identifier: string
  /** Its name. */
  name: string | null
  /** Free fields, an object. */
  data: JsonText | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** How a workflow differs for one tenant. */
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
  /** Which channels are wanted, `{ email?: boolean, ... }`. */
  preferenceSettings: JsonText
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}
