import type { CursorPage, CursorQuery, NumberedPage } from '../resources/page.ts'
import type { Deletion, Topic, TopicV1 } from '../resources/resource.ts'
import type { JsonObject } from './operation.ts'

/** Subscribers to add to a topic or to take out of it, at most 100. */
export interface SubscriptionsBody {
  /** Subscriber ids, or `{ identifier, subscriberId, name }`. */
  readonly subscriptions: readonly (string | JsonObject)[]
  /** Name of the topic, when it is made on the way. */
  readonly name?: string
  /** Contexts of the subscription. */
  readonly context?: JsonObject
  /** Preferences of the subscription. */
  readonly preferences?: readonly JsonObject[]
}

/** What became of each subscription. */
export interface SubscriptionsResult {
  /** Those that went through. */
  readonly data: readonly JsonObject[]
  /** How many there were, went through and failed. */
  readonly meta: { readonly totalCount: number; readonly successful: number; readonly failed: number }
  /** Those that failed, and why. */
  readonly errors?: readonly { readonly subscriberId: string; readonly code: string; readonly message: string }[]
}

/** Topics and their subscriptions. */
export interface TopicShapes {
  /** Lists topics. */
  list: { query: CursorQuery & { key?: string; name?: string }; result: CursorPage<Topic> }
  /** Lists topics by page number, with their subscribers. */
  listV1: { query: { page?: number; pageSize?: number; key?: string }; result: NumberedPage<TopicV1> }
  /** Creates a topic, or updates the one with this key; with `failIfExists` that is a conflict. */
  create: {
    query: { failIfExists?: boolean }
    body: { readonly key: string; readonly name?: string; readonly data?: JsonObject }
    result: Topic
  }
  /** Creates a topic with the first version of the API. */
  createV1: { body: { readonly key: string; readonly name: string }; result: Pick<Topic, '_id' | 'key'> }
  /** Gives one. */
  get: { result: Topic }
  /** Gives one with its subscribers. */
  getV1: { result: TopicV1 }
  /** Renames one, or changes its fields. */
  update: { body: { readonly name?: string; readonly data?: JsonObject }; result: Topic }
  /** Renames one with the first version of the API. */
  renameV1: { body: { readonly name: string }; result: Topic }
  /** Deletes one with all its subscriptions. Cannot be undone. */
  delete: { result: Deletion }
  /** Deletes one that has no subscribers. */
  deleteV1: { result: undefined }
  /** Adds subscribers. */
  subscribe: { body: SubscriptionsBody; result: SubscriptionsResult }
  /** Takes subscribers out. */
  unsubscribe: { body: SubscriptionsBody; result: SubscriptionsResult }
  /** Adds subscribers with the first version of the API. */
  addSubscribersV1: { body: { readonly subscribers: readonly string[] }; result: JsonObject }
  /** Takes subscribers out with the first version of the API. */
  removeSubscribersV1: { body: { readonly subscribers: readonly string[] }; result: undefined }
  /** Tells of one subscriber of a topic; `NotFound` when it is none. */
  checkSubscriber: { result: JsonObject }
  /** Lists the subscriptions of a topic. */
  listSubscriptions: {
    query: CursorQuery & { subscriberId?: string; contextKeys?: readonly string[] }
    result: CursorPage<JsonObject>
  }
  /** Gives one subscription. */
  getSubscription: { result: JsonObject }
  /** Changes one subscription. */
  updateSubscription: {
    body: { readonly name?: string; readonly preferences?: readonly JsonObject[] }
    result: JsonObject
  }
}

const rows = {
  list: { method: 'GET', path: '/v2/topics', paging: 'cursor' },
  listV1: { method: 'GET', path: '/v1/topics', paging: 'pageSize' },
  create: { method: 'POST', path: '/v2/topics' },
  createV1: { method: 'POST', path: '/v1/topics' },
  get: { method: 'GET', path: '/v2/topics/{topicKey}' },
  getV1: { method: 'GET', path: '/v1/topics/{topicKey}' },
  update: { method: 'PATCH', path: '/v2/topics/{topicKey}' },
  renameV1: { method: 'PATCH', path: '/v1/topics/{topicKey}' },
  delete: { method: 'DELETE', path: '/v2/topics/{topicKey}' },
  deleteV1: { method: 'DELETE', path: '/v1/topics/{topicKey}' },
  subscribe: { method: 'POST', path: '/v2/topics/{topicKey}/subscriptions' },
  unsubscribe: { method: 'DELETE', path: '/v2/topics/{topicKey}/subscriptions' },
  addSubscribersV1: { method: 'POST', path: '/v1/topics/{topicKey}/subscribers' },
  removeSubscribersV1: { method: 'POST', path: '/v1/topics/{topicKey}/subscribers/removal' },
  checkSubscriber: { method: 'GET', path: '/v1/topics/{topicKey}/subscribers/{subscriberId}' },
  listSubscriptions: { method: 'GET', path: '/v2/topics/{topicKey}/subscriptions', paging: 'cursor' },
  getSubscription: { method: 'GET', path: '/v2/topics/{topicKey}/subscriptions/{identifier}' },
  updateSubscription: { method: 'PATCH', path: '/v2/topics/{topicKey}/subscriptions/{identifier}' },
} as const

/** Every operation of {@link TopicShapes}. */
export const topicOperations: Readonly<typeof rows> = Object.freeze(rows)
