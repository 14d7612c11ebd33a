import type { Usage } from '../resources/delivery.ts'
import type {
  ApiKey,
  BlueprintGroups,
  Environment,
  EnvironmentUpdate,
  EnvironmentVariable,
  NewEnvironment,
  NewTenant,
  NewVariable,
  Tenant,
  TenantUpdate,
  VariableUpdate,
} from '../resources/environment.ts'
import type { JsonObject } from '../resources/json-object.ts'
import type { OpenPage, PageQuery } from '../resources/page.ts'

/** Variables whose value differs by environment. */
export interface EnvironmentVariableShapes {
  /** Lists them. */
  list: { query: { search?: string }; result: readonly EnvironmentVariable[] }
  /** Creates one. */
  create: { body: NewVariable; result: EnvironmentVariable }
  /** Returns one; secret values are masked. */
  get: { result: EnvironmentVariable }
  /** Changes one; values are merged per environment. */
  update: { body: VariableUpdate; result: EnvironmentVariable }
  /** Deletes one. */
  delete: { result: undefined }
  /** Returns the workflows that use one. */
  getUsage: { result: Usage }
}

/** Ready-made workflows. */
export interface BlueprintShapes {
  /** Returns all by category. */
  listByCategory: { result: BlueprintGroups }
  /** Returns one, by id or identifier; its fields are not specified. */
  get: { result: JsonObject }
}

/** Environments of the organization. */
export interface EnvironmentShapes {
  /** Lists them. */
  list: { result: readonly Environment[] }
  /** Returns the one the key belongs to. */
  getCurrent: { result: Environment }
  /** Creates one. */
  create: { body: NewEnvironment; result: Environment }
  /** Changes the fields that are given. */
  update: { body: EnvironmentUpdate; result: Environment }
  /** Deletes one; the fields of the answer are not specified. */
  delete: { result: unknown }
}

/** Secret keys of the environment. */
export interface ApiKeyShapes {
  /** Lists them. */
  list: { result: readonly ApiKey[] }
  /** Replaces the key; the one before is refused from then on. The service may keep this to its dashboard. */
  regenerate: { result: readonly ApiKey[] }
}

/** Tenants of the customer. */
export interface TenantShapes {
  /** Lists them. */
  list: { query: PageQuery; result: OpenPage<Tenant> }
  /** Creates one. */
  create: { body: NewTenant; result: Tenant }
  /** Returns one. */
  get: { result: Tenant }
  /** Changes the fields that are given. */
  update: { body: TenantUpdate; result: Tenant }
  /** Deletes one. */
  delete: { result: undefined }
}

const variables = {
  list: { method: 'GET', path: '/v1/environment-variables' },
  create: { method: 'POST', path: '/v1/environment-variables', body: true },
  get: { method: 'GET', path: '/v1/environment-variables/{variableKey}' },
  update: { method: 'PATCH', path: '/v1/environment-variables/{variableKey}', body: true },
  delete: { method: 'DELETE', path: '/v1/environment-variables/{variableKey}', answer: 'nothing' },
  getUsage: { method: 'GET', path: '/v1/environment-variables/{variableKey}/usage' },
} as const

const blueprints = {
  listByCategory: { method: 'GET', path: '/v1/blueprints/group-by-category' },
  get: { method: 'GET', path: '/v1/blueprints/{blueprintId}' },
} as const

const environments = {
  list: { method: 'GET', path: '/v1/environments' },
  getCurrent: { method: 'GET', path: '/v1/environments/me' },
  create: { method: 'POST', path: '/v1/environments', body: true },
  update: { method: 'PUT', path: '/v1/environments/{environmentId}', body: true },
  delete: { method: 'DELETE', path: '/v1/environments/{environmentId}' },
} as const

const apiKeys = {
  list: { method: 'GET', path: '/v1/environments/api-keys' },
  regenerate: { method: 'POST', path: '/v1/environments/api-keys/regenerate' },
} as const

const tenants = {
  list: { method: 'GET', path: '/v1/tenants', paging: 'page' },
  create: { method: 'POST', path: '/v1/tenants', body: true },
  get: { method: 'GET', path: '/v1/tenants/{identifier}' },
  update: { method: 'PATCH', path: '/v1/tenants/{identifier}', body: true },
  delete: { method: 'DELETE', path: '/v1/tenants/{identifier}', answer: 'nothing' },
} as const

/** Every operation of {@link EnvironmentVariableShapes}. */
export const environmentVariableOperations: Readonly<typeof variables> = Object.freeze(variables)

/** Every operation of {@link BlueprintShapes}. */
export const blueprintOperations: Readonly<typeof blueprints> = Object.freeze(blueprints)

/** Every operation of {@link EnvironmentShapes}. */
export const environmentOperations: Readonly<typeof environments> = Object.freeze(environments)

/** Every operation of {@link ApiKeyShapes}. */
export const apiKeyOperations: Readonly<typeof apiKeys> = Object.freeze(apiKeys)

/** Every operation of {@link TenantShapes}. */
export const tenantOperations: Readonly<typeof tenants> = Object.freeze(tenants)
