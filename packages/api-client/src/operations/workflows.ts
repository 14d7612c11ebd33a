import type { Deletion } from '../resources/deletion.ts'
import type { CountedPage, OffsetQuery, OpenPage, PageQuery } from '../resources/page.ts'
import type { Step, Workflow, WorkflowList, WorkflowStatus } from '../resources/workflow.ts'
import type { NewWorkflow, Preview, PreviewBody, WorkflowPatch, WorkflowUpdate } from '../resources/workflow-input.ts'
import type {
  NewWorkflowOverride,
  NewWorkflowV1,
  WorkflowGroup,
  WorkflowOverride,
  WorkflowOverrideUpdate,
  WorkflowUpdateV1,
  WorkflowV1,
} from '../resources/workflow-v1.ts'

/** Workflows that live in the service. */
export interface WorkflowShapes {
  /** Lists workflows. */
  list: {
    query: OffsetQuery & { tags?: readonly string[]; status?: readonly WorkflowStatus[] }
    result: WorkflowList
  }
  /** Lists workflows by page number. */
  listV1: { query: PageQuery & { query?: string }; result: CountedPage<WorkflowV1> }
  /** Creates one. */
  create: { body: NewWorkflow; result: Workflow }
  /** Creates one with the first version of the API. */
  createV1: { body: NewWorkflowV1; result: WorkflowV1 }
  /** Returns one, by id or identifier. */
  get: { query: { environmentId?: string }; result: Workflow }
  /** Returns one with the first version of the API. */
  getV1: { result: WorkflowV1 }
  /** Replaces one; a step that is left out is deleted. */
  update: { body: WorkflowUpdate; result: Workflow }
  /** Changes one with the first version of the API. */
  updateV1: { body: WorkflowUpdateV1; result: WorkflowV1 }
  /** Changes the fields that are given. */
  patch: { body: WorkflowPatch; result: Workflow }
  /** Switches one on or off. */
  updateStatusV1: { body: { readonly active: boolean }; result: WorkflowV1 }
  /** Deletes one. */
  delete: { result: undefined }
  /** Deletes one, and returns whether it was there. */
  deleteV1: { result: boolean }
  /** Returns a step. */
  getStep: { result: Step }
  /** Renders a step. */
  previewStep: { body: PreviewBody; result: Preview }
  /** Copies one to another environment. */
  syncTo: { body: { readonly targetEnvironmentId: string }; result: Workflow }
}

/** Changes of a workflow for one tenant. */
export interface WorkflowOverrideShapes {
  /** Creates one. */
  create: { body: NewWorkflowOverride; result: WorkflowOverride }
  /** Lists them. */
  list: { query: PageQuery; result: OpenPage<WorkflowOverride> }
  /** Returns one by workflow and tenant. */
  get: { result: WorkflowOverride }
  /** Returns one by its id. */
  getById: { result: WorkflowOverride }
  /** Changes one by its id. */
  updateById: { body: WorkflowOverrideUpdate; result: WorkflowOverride }
  /** Changes one by workflow and tenant. */
  update: { body: WorkflowOverrideUpdate; result: WorkflowOverride }
  /** Deletes one, and returns whether it was there. */
  delete: { result: boolean }
}

/** Groups of workflows. */
export interface WorkflowGroupShapes {
  /** Lists them. */
  list: { result: readonly WorkflowGroup[] }
  /** Creates one. */
  create: { body: { readonly name: string }; result: WorkflowGroup }
  /** Returns one. */
  get: { result: WorkflowGroup }
  /** Renames one. */
  update: { body: { readonly name: string }; result: WorkflowGroup }
  /** Deletes one. */
  delete: { result: Deletion }
}

const workflows = {
  list: { method: 'GET', path: '/v2/workflows', paging: 'offset', items: 'workflows' },
  listV1: { method: 'GET', path: '/v1/workflows', paging: 'page' },
  create: { method: 'POST', path: '/v2/workflows', body: true },
  createV1: { method: 'POST', path: '/v1/workflows', body: true },
  get: { method: 'GET', path: '/v2/workflows/{workflowId}' },
  getV1: { method: 'GET', path: '/v1/workflows/{workflowId}' },
  update: { method: 'PUT', path: '/v2/workflows/{workflowId}', body: true },
  updateV1: { method: 'PUT', path: '/v1/workflows/{workflowId}', body: true },
  patch: { method: 'PATCH', path: '/v2/workflows/{workflowId}', body: true },
  updateStatusV1: { method: 'PUT', path: '/v1/workflows/{workflowId}/status', body: true },
  delete: { method: 'DELETE', path: '/v2/workflows/{workflowId}', answer: 'nothing' },
  deleteV1: { method: 'DELETE', path: '/v1/workflows/{workflowId}' },
  getStep: { method: 'GET', path: '/v2/workflows/{workflowId}/steps/{stepId}' },
  previewStep: { method: 'POST', path: '/v2/workflows/{workflowId}/step/{stepId}/preview', body: true },
  syncTo: { method: 'PUT', path: '/v2/workflows/{workflowId}/sync', body: true },
} as const

const overrides = {
  create: { method: 'POST', path: '/v1/workflow-overrides', body: true },
  list: { method: 'GET', path: '/v1/workflow-overrides', paging: 'page' },
  get: { method: 'GET', path: '/v1/workflow-overrides/workflows/{workflowId}/tenants/{tenantId}' },
  getById: { method: 'GET', path: '/v1/workflow-overrides/{overrideId}' },
  updateById: { method: 'PUT', path: '/v1/workflow-overrides/{overrideId}', body: true },
  update: { method: 'PUT', path: '/v1/workflow-overrides/workflows/{workflowId}/tenants/{tenantId}', body: true },
  delete: { method: 'DELETE', path: '/v1/workflow-overrides/{overrideId}' },
} as const

const groups = {
  list: { method: 'GET', path: '/v1/notification-groups' },
  create: { method: 'POST', path: '/v1/notification-groups', body: true },
  get: { method: 'GET', path: '/v1/notification-groups/{groupId}' },
  update: { method: 'PATCH', path: '/v1/notification-groups/{groupId}', body: true },
  delete: { method: 'DELETE', path: '/v1/notification-groups/{groupId}' },
} as const

/** Every operation of {@link WorkflowShapes}. */
export const workflowOperations: Readonly<typeof workflows> = Object.freeze(workflows)

/** Every operation of {@link WorkflowOverrideShapes}. */
export const workflowOverrideOperations: Readonly<typeof overrides> = Object.freeze(overrides)

/** Every operation of {@link WorkflowGroupShapes}. */
export const workflowGroupOperations: Readonly<typeof groups> = Object.freeze(groups)
