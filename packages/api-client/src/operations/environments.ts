import type { EnvironmentVariable } from '../resources/resource.ts'
import type { JsonObject } from './operation.ts'

/** Variables whose value differs by environment. */
export interface EnvironmentVariableShapes {
  /** Lists them. */
  list: { query: { search?: string }; result: readonly EnvironmentVariable[] }
  /** Creates one. */
  create: { body: JsonObject & { readonly key: string }; result: EnvironmentVariable }
  /** Gives one; secret values are masked. */
  get: { result: EnvironmentVariable }
  /** Changes one; values are merged per environment. */
  update: { body: JsonObject; result: EnvironmentVariable }
  /** Deletes one. */
  delete: { result: undefined }
  /** Tells which workflows use one. */
  getUsage: { result: JsonObject }
}

/** Ready-made workflows. */
export interface BlueprintShapes {
  /** Gives all by category. */
  listByCategory: { result: { readonly general: readonly JsonObject[]; readonly popular: JsonObject } }
  /** Gives one, by id or identifier. */
  get: { result: JsonObject }
}

/** Environments of the organization. */
export interface EnvironmentShapes {
  /** Lists them. */
  list: { result: readonly JsonObject[] }
  /** Gives the one the key belongs to. */
  getCurrent: { result: JsonObject }
  /** Creates one. */
  create: { body: JsonObject & { readonly name: string }; result: JsonObject }
  /** Changes one. */
  update: { body: JsonObject; result: JsonObject }
  /** Deletes one. */
  delete: { result: unknown }
}

/** The stored bridge of the environment. */
export interface BridgeShapes {
  /** Checks a bridge, discovers it and stores its URL and workflows. */
  sync: { body: { readonly bridgeUrl: string }; result: readonly JsonObject[] }
  /** Asks whether a URL leads to a bridge; never fails for a URL that does not. */
  validate: { body: { readonly bridgeUrl: string }; result: { readonly isValid: boolean; readonly error?: JsonObject } }
  /** Compares what a bridge holds with what is stored. */
  diff: { body: JsonObject; result: JsonObject }
  /** Gives the stored controls of a step. */
  getControls: { result: JsonObject }
  /** Stores the controls of a step. */
  updateControls: { body: { readonly variables: JsonObject }; result: JsonObject }
}

const variables = {
  list: { method: 'GET', path: '/v1/environment-variables' },
  create: { method: 'POST', path: '/v1/environment-variables' },
  get: { method: 'GET', path: '/v1/environment-variables/{variableKey}' },
  update: { method: 'PATCH', path: '/v1/environment-variables/{variableKey}' },
  delete: { method: 'DELETE', path: '/v1/environment-variables/{variableKey}' },
  getUsage: { method: 'GET', path: '/v1/environment-variables/{variableKey}/usage' },
} as const

const blueprints = {
  listByCategory: { method: 'GET', path: '/v1/blueprints/group-by-category' },
  get: { method: 'GET', path: '/v1/blueprints/{blueprintId}' },
} as const

const environments = {
  list: { method: 'GET', path: '/v1/environments' },
  getCurrent: { method: 'GET', path: '/v1/environments/me' },
  create: { method: 'POST', path: '/v1/environments' },
  update: { method: 'PUT', path: '/v1/environments/{environmentId}' },
  delete: { method: 'DELETE', path: '/v1/environments/{environmentId}' },
} as const

const bridge = {
  sync: { method: 'POST', path: '/v1/bridge/sync' },
  validate: { method: 'POST', path: '/v1/bridge/validate' },
  diff: { method: 'POST', path: '/v1/bridge/diff' },
  getControls: { method: 'GET', path: '/v1/bridge/controls/{workflowId}/{stepId}' },
  updateControls: { method: 'PUT', path: '/v1/bridge/controls/{workflowId}/{stepId}' },
} as const

/** Every operation of {@link EnvironmentVariableShapes}. */
export const environmentVariableOperations: Readonly<typeof variables> = Object.freeze(variables)

/** Every operation of {@link BlueprintShapes}. */
export const blueprintOperations: Readonly<typeof blueprints> = Object.freeze(blueprints)

/** Every operation of {@link EnvironmentShapes}. */
export const environmentOperations: Readonly<typeof environments> = Object.freeze(environments)

/** Every operation of {@link BridgeShapes}. */
export const bridgeOperations: Readonly<typeof bridge> = Object.freeze(bridge)
