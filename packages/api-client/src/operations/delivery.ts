import type {
  Integration,
  IntegrationFields,
  Layout,
  LayoutList,
  LayoutPreviewBody,
  LayoutUpdate,
  LayoutV1,
  NewIntegration,
  NewLayout,
  NewLayoutV1,
  Usage,
} from '../resources/delivery.ts'
import type { Feed } from '../resources/environment.ts'
import type { CountedPage, OffsetQuery, PageSizeQuery } from '../resources/page.ts'
import type { Preview } from '../resources/workflow-input.ts'

/** Configured delivery providers. */
export interface IntegrationShapes {
  /** Lists all. */
  list: { result: readonly Integration[] }
  /** Lists the active ones. */
  listActive: { result: readonly Integration[] }
  /** Returns whether a provider's webhook is set up. */
  getWebhookStatus: { result: boolean }
  /** Creates one. */
  create: { body: NewIntegration; result: Integration }
  /** Changes the fields that are given. */
  update: { body: IntegrationFields; result: Integration }
  /** Deletes one and returns those that are left. */
  delete: { result: readonly Integration[] }
  /** Sets one as the first choice of its channel. */
  setPrimary: { result: Integration }
}

/** Wrappers of email content. */
export interface LayoutShapes {
  /** Lists layouts. */
  list: { query: OffsetQuery; result: LayoutList }
  /** Lists layouts by page number. */
  listV1: {
    query: PageSizeQuery & { sortBy?: 'createdAt'; orderBy?: number }
    result: CountedPage<LayoutV1>
  }
  /** Creates one. */
  create: { body: NewLayout; result: Layout }
  /** Creates one with the first version of the API. */
  createV1: { body: NewLayoutV1; result: { readonly _id: string } }
  /** Returns one. */
  get: { result: Layout }
  /** Returns one with the first version of the API. */
  getV1: { result: LayoutV1 }
  /** Replaces one. */
  update: { body: LayoutUpdate; result: Layout }
  /** Changes one with the first version of the API. */
  updateV1: { body: Partial<NewLayoutV1>; result: LayoutV1 }
  /** Deletes one. */
  delete: { result: undefined }
  /** Deletes one with the first version of the API. */
  deleteV1: { result: undefined }
  /** Sets one as the default. */
  setDefaultV1: { result: undefined }
  /** Copies one. */
  duplicate: { body: Pick<NewLayout, 'name' | 'isTranslationEnabled'> & Partial<NewLayout>; result: Layout }
  /** Renders one. */
  preview: { body: LayoutPreviewBody; result: Preview }
  /** Returns the workflows that use one. */
  getUsage: { result: Usage }
}

/** Feeds of in-app messages. */
export interface FeedShapes {
  /** Lists them. */
  list: { result: readonly Feed[] }
  /** Creates one. */
  create: { body: { readonly name: string }; result: Feed }
  /** Deletes one and returns those that are left. */
  delete: { result: readonly Feed[] }
}

const integrations = {
  list: { method: 'GET', path: '/v1/integrations' },
  listActive: { method: 'GET', path: '/v1/integrations/active' },
  getWebhookStatus: { method: 'GET', path: '/v1/integrations/webhook/provider/{providerOrIntegrationId}/status' },
  create: { method: 'POST', path: '/v1/integrations', body: true },
  update: { method: 'PUT', path: '/v1/integrations/{integrationId}', body: true },
  delete: { method: 'DELETE', path: '/v1/integrations/{integrationId}' },
  setPrimary: { method: 'POST', path: '/v1/integrations/{integrationId}/set-primary' },
} as const

const layouts = {
  list: { method: 'GET', path: '/v2/layouts', paging: 'offset', items: 'layouts' },
  listV1: { method: 'GET', path: '/v1/layouts', paging: 'pageSize' },
  create: { method: 'POST', path: '/v2/layouts', body: true },
  createV1: { method: 'POST', path: '/v1/layouts', body: true },
  get: { method: 'GET', path: '/v2/layouts/{layoutId}' },
  getV1: { method: 'GET', path: '/v1/layouts/{layoutId}' },
  update: { method: 'PUT', path: '/v2/layouts/{layoutId}', body: true },
  updateV1: { method: 'PATCH', path: '/v1/layouts/{layoutId}', body: true },
  delete: { method: 'DELETE', path: '/v2/layouts/{layoutId}', answer: 'nothing' },
  deleteV1: { method: 'DELETE', path: '/v1/layouts/{layoutId}', answer: 'nothing' },
  setDefaultV1: { method: 'POST', path: '/v1/layouts/{layoutId}/default', answer: 'nothing' },
  duplicate: { method: 'POST', path: '/v2/layouts/{layoutId}/duplicate', body: true },
  preview: { method: 'POST', path: '/v2/layouts/{layoutId}/preview', body: true },
  getUsage: { method: 'GET', path: '/v2/layouts/{layoutId}/usage' },
} as const

const feeds = {
  list: { method: 'GET', path: '/v1/feeds' },
  create: { method: 'POST', path: '/v1/feeds', body: true },
  delete: { method: 'DELETE', path: '/v1/feeds/{feedId}' },
} as const

/** Every operation of {@link IntegrationShapes}. */
export const integrationOperations: Readonly<typeof integrations> = Object.freeze(integrations)

/** Every operation of {@link LayoutShapes}. */
export const layoutOperations: Readonly<typeof layouts> = Object.freeze(layouts)

/** Every operation of {@link FeedShapes}. */
export const feedOperations: Readonly<typeof feeds> = Object.freeze(feeds)
