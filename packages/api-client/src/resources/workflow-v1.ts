import type { PreferenceChannels } from './channel.ts'
import type { JsonObject } from './json-object.ts'

/** The event that starts a workflow, as runs and workflows list it. */
export interface WorkflowTrigger {
  /** `event`. */
  readonly type: string
  /** The workflow's identifier. */
  readonly identifier: string
  /** The variables of the payload. */
  readonly variables: readonly { readonly name: string }[]
  /** The variables of the subscriber. */
  readonly subscriberVariables?: readonly { readonly name: string }[]
}

/** A group of workflows. */
export interface WorkflowGroup {
  /** The service's id. */
  readonly _id?: string
  /** Name for people. */
  readonly name: string
  /** The environment. */
  readonly _environmentId: string
  /** The organization. */
  readonly _organizationId: string
  /** The group it was copied from. */
  readonly _parentId?: string
}

/** A workflow as the first version of the API returns it. */
export interface WorkflowV1 {
  /** The service's id. */
  readonly _id?: string
  /** Name for people. */
  readonly name: string
  /** The purpose, in words. */
  readonly description: string
  /** Whether it runs. */
  readonly active: boolean
  /** Whether it is a draft. */
  readonly draft: boolean
  /** The channels' preferences. */
  readonly preferenceSettings: PreferenceChannels
  /** Whether preferences cannot hold its messages back. */
  readonly critical: boolean
  /** Tags. */
  readonly tags: readonly string[]
  /** The steps; their fields are not specified. */
  readonly steps: readonly JsonObject[]
  /** The events that start it. */
  readonly triggers: readonly WorkflowTrigger[]
  /** The organization. */
  readonly _organizationId: string
  /** The environment. */
  readonly _environmentId: string
  /** Who created it. */
  readonly _creatorId: string
  /** The group. */
  readonly _notificationGroupId: string
  /** The workflow it was copied from. */
  readonly _parentId?: string
  /** The group. */
  readonly notificationGroup?: WorkflowGroup
  /** Free fields. */
  readonly data?: JsonObject
  /** Which channels have an integration; the fields are not specified. */
  readonly workflowIntegrationStatus?: JsonObject
  /** Whether it has been deleted. */
  readonly deleted: boolean
  /** When it was deleted. */
  readonly deletedAt: string
  /** Who deleted it. */
  readonly deletedBy: string
}

/** The fields of a workflow of the first version that a caller may set. */
export interface WorkflowFieldsV1 {
  /** Tags. */
  readonly tags?: readonly string[] | undefined
  /** The purpose, in at most 1000 characters. */
  readonly description?: string | undefined
  /** Whether it runs. */
  readonly active?: boolean | undefined
  /** Whether it is a draft. */
  readonly draft?: boolean | undefined
  /** Whether preferences cannot hold its messages back. */
  readonly critical?: boolean | undefined
  /** The channels' preferences. */
  readonly preferenceSettings?: PreferenceChannels | undefined
  /** Free fields. */
  readonly data?: object | undefined
}

/** A new workflow of the first version. */
export interface NewWorkflowV1 extends WorkflowFieldsV1 {
  /** Name for people. */
  readonly name: string
  /** The group. */
  readonly notificationGroupId: string
  /** The steps; their fields are not specified. */
  readonly steps: readonly object[]
  /** The blueprint it is made from. */
  readonly blueprintId?: string | undefined
}

/** A change of a workflow of the first version. */
export interface WorkflowUpdateV1 extends WorkflowFieldsV1 {
  /** Name for people. */
  readonly name?: string | undefined
  /** The group. */
  readonly notificationGroupId?: string | undefined
  /** The steps; their fields are not specified. */
  readonly steps?: readonly object[] | undefined
}

/** The changes of a workflow for one tenant. */
export interface WorkflowOverride {
  /** The service's id. */
  readonly _id: string
  /** The organization. */
  readonly _organizationId: string
  /** The environment. */
  readonly _environmentId: string
  /** The workflow. */
  readonly _workflowId: string
  /** The tenant. */
  readonly _tenantId: string
  /** Whether the workflow runs for the tenant. */
  readonly active: boolean
  /** The channels' preferences. */
  readonly preferenceSettings: PreferenceChannels
  /** Whether it has been deleted. */
  readonly deleted: boolean
  /** When it was deleted. */
  readonly deletedAt?: string
  /** Who deleted it. */
  readonly deletedBy?: string
  /** When it was created. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt?: string
}

/** A change of a workflow override. */
export interface WorkflowOverrideUpdate {
  /** Whether the workflow runs for the tenant. */
  readonly active?: boolean | undefined
  /** The channels' preferences. */
  readonly preferenceSettings?: PreferenceChannels | undefined
}

/** A new workflow override. */
export interface NewWorkflowOverride extends WorkflowOverrideUpdate {
  /** The workflow. */
  readonly workflowId: string
  /** The tenant. */
  readonly tenantId: string
}
