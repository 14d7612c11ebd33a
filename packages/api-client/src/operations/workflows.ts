import type { NumberedPage, PageQuery } from '../resources/page.ts'
import type { Deletion } from '../resources/resource.ts'
import type { JsonObject } from './operation.ts'

/** Query of the second version's lists. */
export interface OffsetQuery {
  /** Items in the answer. */
  readonly limit?: number
  /** Items that are left out in front. */
  readonly offset?: number
  /** Field to sort by. */
  readonly orderBy?: string
  /** Direction of the order. */
  readonly orderDirection?: 'ASC' | 'DESC'
  /** Text to search for. */
  readonly query?: string
}

/** Workflows that live in the service. */
export interface WorkflowShapes {
  /** Lists workflows. */
  list: {
    query: OffsetQuery & { tags?: readonly string[]; status?: readonly string[] }
    result: { readonly workflows: readonly JsonObject[]; readonly totalCount: number }
  }
  /** Lists workflows by page number. */
  listV1: { query: PageQuery & { query?: string }; result: NumberedPage<JsonObject> }
  /** Creates one. */
  create: { body: JsonObject; result: JsonObject }
  /** Creates one with the first version of the API. */
  createV1: { body: JsonObject; result: JsonObject }
  /** Gives one, by id or identifier. */
  get: { query: { environmentId?: string }; result: JsonObject }
  /** Gives one with the first version of the API. */
  getV1: { result: JsonObject }
  /** Replaces one. */
  update: { body: JsonObject; result: JsonObject }
  /** Changes one with the first version of the API. */
  updateV1: { body: JsonObject; result: JsonObject }
  /** Changes the fields that are given. */
  patch: { body: JsonObject; result: JsonObject }
  /** Switches one on or off. */
  updateStatusV1: { body: { readonly active: boolean }; result: JsonObject }
  /** Deletes one. */
  delete: { result: undefined }
  /** Deletes one; the answer tells whether it was there. */
  deleteV1: { result: boolean }
  /** Gives a step. */
  getStep: { result: JsonObject }
  /** Renders a step. */
  previewStep: { body: JsonObject; result: JsonObject }
  /** Copies one to another environment. */
  syncTo: { body: { readonly targetEnvironmentId: string }; result: JsonObject }
}

/** Changes of a workflow for one tenant. */
export interface WorkflowOverrideShapes {
  /** Creates one. */
  create: { body: JsonObject; result: JsonObject }
  /** Lists them. */
  list: { query: PageQuery; result: NumberedPage<JsonObject> }
  /** Gives one by workflow and tenant. */
  get: { result: JsonObject }
  /** Gives one by its id. */
  getById: { result: JsonObject }
  /** Changes one by its id. */
  updateById: { body: JsonObject; result: JsonObject }
  /** Changes one by workflow and tenant. */
  update: { body: JsonObject; result: JsonObject }
  /** Deletes one. */
  delete: { result: boolean }
}

/** Groups of workflows. */
export interface WorkflowGroupShapes {
  /** Lists them. */
  list: { result: readonly JsonObject[] }
  /** Creates one. */
  create: { body: { readonly name: string }; result: JsonObject }
  /** Gives one. */
  get: { result: JsonObject }
  /** Renames one. */
  update: { body: { readonly name: string }; result: JsonObject }
  /** Deletes one. */
  delete: { result: Deletion }
}

const workflows = {
  list: { method: 'GET', path: '/v2/workflows' },
  listV1: { method: 'GET', path: '/v1/workflows', paging: 'page' },
  create: { method: 'POST', path: '/v2/workflows' },
  createV1: { method: 'POST', path: '/v1/workflows' },
  get: { method: 'GET', path: '/v2/workflows/{workflowId}' },
  getV1: { method: 'GET', path: '/v1/workflows/{workflowId}' },
  update: { method: 'PUT', path: '/v2/workflows/{workflowId}' },
  updateV1: { method: 'PUT', path: '/v1/workflows/{workflowId}' },
  patch: { method: 'PATCH', path: '/v2/workflows/{workflowId}' },
  updateStatusV1: { method: 'PUT', path: '/v1/workflows/{workflowId}/status' },
  delete: { method: 'DELETE', path: '/v2/workflows/{workflowId}' },
  deleteV1: { method: 'DELETE', path: '/v1/workflows/{workflowId}' },
  getStep: { method: 'GET', path: '/v2/workflows/{workflowId}/steps/{stepId}' },
  previewStep: { method: 'POST', path: '/v2/workflows/{workflowId}/step/{stepId}/preview' },
  syncTo: { method: 'PUT', path: '/v2/workflows/{workflowId}/sync' },
} as const

const overrides = {
  create: { method: 'POST', path: '/v1/workflow-overrides' },
  list: { method: 'GET', path: '/v1/workflow-overrides', paging: 'page' },
  get: { method: 'GET', path: '/v1/workflow-overrides/workflows/{workflowId}/tenants/{tenantId}' },
  getById: { method: 'GET', path: '/v1/workflow-overrides/{overrideId}' },
  updateById: { method: 'PUT', path: '/v1/workflow-overrides/{overrideId}' },
  update: { method: 'PUT', path: '/v1/workflow-overrides/workflows/{workflowId}/tenants/{tenantId}' },
  delete: { method: 'DELETE', path: '/v1/workflow-overrides/{overrideId}' },
} as const

const groups = {
  list: { method: 'GET', path: '/v1/notification-groups' },
  create: { method: 'POST', path: '/v1/notification-groups' },
  get: { method: 'GET', path: '/v1/notification-groups/{groupId}' },
  update: { method: 'PATCH', path: '/v1/notification-groups/{groupId}' },
  delete: { method: 'DELETE', path: '/v1/notification-groups/{groupId}' },
} as const

/** Every operation of {@link WorkflowShapes}. */
export const workflowOperations: Readonly<typeof workflows> = Object.freeze(workflows)

/** Every operation of {@link WorkflowOverrideShapes}. */
export const workflowOverrideOperations: Readonly<typeof overrides> = Object.freeze(overrides)

/** Every operation of {@link WorkflowGroupShapes}. */
export const workflowGroupOperations: Readonly<typeof groups> = Object.freeze(groups)
