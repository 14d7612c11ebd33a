import type {
  BridgeDiff,
  BridgePreview,
  BridgePreviewBody,
  BridgeState,
  BridgeStatus,
  BridgeValidation,
} from '../resources/bridge.ts'
import type { JsonObject } from '../resources/json-object.ts'
import type { WorkflowV1 } from '../resources/workflow-v1.ts'

/** The stored bridge of the environment. */
export interface BridgeShapes {
  /** Checks a bridge, discovers it, stores its address and workflows, and returns the stored workflows. */
  sync: { query: { source?: string }; body: { readonly bridgeUrl: string }; result: readonly WorkflowV1[] }
  /** Returns whether an address leads to a bridge; never fails for one that does not. */
  validate: { body: { readonly bridgeUrl: string }; result: BridgeValidation }
  /** Compares what a bridge holds with what is stored. */
  diff: { body: BridgeState; result: BridgeDiff }
  /** Returns the stored control values of a step. */
  getControls: { result: JsonObject }
  /** Stores the control values of a step. */
  updateControls: { body: { readonly variables: object }; result: JsonObject }
  /** Returns the health of the stored bridge. The service may keep this to its dashboard. */
  getStatus: { result: BridgeStatus }
  /** Renders a step by the stored bridge. The service may keep this to its dashboard. */
  previewStep: { body: BridgePreviewBody; result: BridgePreview }
}

const bridge = {
  sync: { method: 'POST', path: '/v1/bridge/sync', body: true },
  validate: { method: 'POST', path: '/v1/bridge/validate', body: true },
  diff: { method: 'POST', path: '/v1/bridge/diff', body: true },
  getControls: { method: 'GET', path: '/v1/bridge/controls/{workflowId}/{stepId}' },
  updateControls: { method: 'PUT', path: '/v1/bridge/controls/{workflowId}/{stepId}', body: true },
  getStatus: { method: 'GET', path: '/v1/bridge/status' },
  previewStep: { method: 'POST', path: '/v1/bridge/preview/{workflowId}/{stepId}', body: true },
} as const

/** Every operation of {@link BridgeShapes}. */
export const bridgeOperations: Readonly<typeof bridge> = Object.freeze(bridge)
