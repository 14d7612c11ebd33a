import type { NumberedPage } from '../resources/page.ts'
import type { Feed } from '../resources/resource.ts'
import type { JsonObject } from './operation.ts'
import type { OffsetQuery } from './workflows.ts'

/** Configured delivery providers. */
export interface IntegrationShapes {
  /** Lists all. */
  list: { result: readonly JsonObject[] }
  /** Lists the active ones. */
  listActive: { result: readonly JsonObject[] }
  /** Tells whether a provider's webhook is set up. */
  getWebhookStatus: { result: boolean }
  /** Creates one. */
  create: { body: JsonObject; result: JsonObject }
  /** Changes one. */
  update: { body: JsonObject; result: JsonObject }
  /** Deletes one and gives those that are left. */
  delete: { result: readonly JsonObject[] }
  /** Makes one the first choice of its channel. */
  setPrimary: { result: JsonObject }
}

/** Wrappers of email content. */
export interface LayoutShapes {
  /** Lists layouts. */
  list: {
    query: OffsetQuery
    result: { readonly layouts: readonly JsonObject[]; readonly totalCount: number }
  }
  /** Lists layouts by page number. */
  listV1: {
    query: { page?: number; pageSize?: number; sortBy?: string; orderBy?: number }
    result: NumberedPage<JsonObject>
  }
  /** Creates one. */
  create: { body: JsonObject; result: JsonObject }
  /** Creates one with the first version of the API. */
  createV1: { body: JsonObject; result: JsonObject }
  /** Gives one. */
  get: { result: JsonObject }
  /** Gives one with the first version of the API. */
  getV1: { result: JsonObject }
  /** Replaces one. */
  update: { body: JsonObject; result: JsonObject }
  /** Changes one with the first version of the API. */
  updateV1: { body: JsonObject; result: JsonObject }
  /** Deletes one. */
  delete: { result: undefined }
  /** Deletes one with the first version of the API. */
  deleteV1: { result: undefined }
  /** Makes one the default. */
  setDefaultV1: { result: undefined }
  /** Copies one. */
  duplicate: { body: JsonObject; result: JsonObject }
  /** Renders one. */
  preview: { body: JsonObject; result: JsonObject }
  /** Tells which workflows use one. */
  getUsage: { result: JsonObject }
}

/** Feeds of in-app messages. */
export interface FeedShapes {
  /** Lists them. */
  list: { result: readonly Feed[] }
  /** Creates one. */
  create: { body: { readonly name: string }; result: Feed }
  /** Deletes one and gives those that are left. */
  delete: { result: readonly Feed[] }
}

const integrations = {
  list: { method: 'GET', path: '/v1/integrations' },
  listActive: { method: 'GET', path: '/v1/integrations/active' },
  getWebhookStatus: { method: 'GET', path: '/v1/integrations/webhook/provider/{providerOrIntegrationId}/status' },
  create: { method: 'POST', path: '/v1/integrations' },
  update: { method: 'PUT', path: '/v1/integrations/{integrationId}' },
  delete: { method: 'DELETE', path: '/v1/integrations/{integrationId}' },
  setPrimary: { method: 'POST', path: '/v1/integrations/{integrationId}/set-primary' },
} as const

const layouts = {
  list: { method: 'GET', path: '/v2/layouts' },
  listV1: { method: 'GET', path: '/v1/layouts', paging: 'pageSize' },
  create: { method: 'POST', path: '/v2/layouts' },
  createV1: { method: 'POST', path: '/v1/layouts' },
  get: { method: 'GET', path: '/v2/layouts/{layoutId}' },
  getV1: { method: 'GET', path: '/v1/layouts/{layoutId}' },
  update: { method: 'PUT', path: '/v2/layouts/{layoutId}' },
  updateV1: { method: 'PATCH', path: '/v1/layouts/{layoutId}' },
  delete: { method: 'DELETE', path: '/v2/layouts/{layoutId}' },
  deleteV1: { method: 'DELETE', path: '/v1/layouts/{layoutId}' },
  setDefaultV1: { method: 'POST', path: '/v1/layouts/{layoutId}/default' },
  duplicate: { method: 'POST', path: '/v2/layouts/{layoutId}/duplicate' },
  preview: { method: 'POST', path: '/v2/layouts/{layoutId}/preview' },
  getUsage: { method: 'GET', path: '/v2/layouts/{layoutId}/usage' },
} as const

const feeds = {
  list: { method: 'GET', path: '/v1/feeds' },
  create: { method: 'POST', path: '/v1/feeds' },
  delete: { method: 'DELETE', path: '/v1/feeds/{feedId}' },
} as const

/** Every operation of {@link IntegrationShapes}. */
export const integrationOperations: Readonly<typeof integrations> = Object.freeze(integrations)

/** Every operation of {@link LayoutShapes}. */
export const layoutOperations: Readonly<typeof layouts> = Object.freeze(layouts)

/** Every operation of {@link FeedShapes}. */
export const feedOperations: Readonly<typeof feeds> = Object.freeze(feeds)
