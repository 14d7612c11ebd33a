import type { TopicDeletion } from '../resources/deletion.ts'
import type { CountedPage, CursorPage, CursorQuery, PageSizeQuery } from '../resources/page.ts'
import type {
  AddedSubscribersV1,
  Subscription,
  SubscriptionDetails,
  SubscriptionItem,
  SubscriptionsBody,
  SubscriptionsResult,
  Topic,
  TopicSubscriberV1,
  TopicV1,
  UnsubscribeBody,
} from '../resources/topic.ts'

/** Topics and their subscriptions. */
export interface TopicShapes {
  /** Lists topics. */
  list: { query: CursorQuery & { key?: string; name?: string }; result: CursorPage<Topic> }
  /** Lists topics by page number, with their subscribers. */
  listV1: { query: PageSizeQuery & { key?: string }; result: CountedPage<TopicV1> }
  /** Creates a topic, or updates the one with this key; with `failIfExists` that is a conflict. */
  create: {
    query: { failIfExists?: boolean }
    body: { readonly key: string; readonly name?: string; readonly data?: object }
    result: Topic
  }
  /** Creates a topic with the first version of the API. */
  createV1: {
    body: { readonly key: string; readonly name: string }
    result: { readonly _id: string; readonly key: string }
  }
  /** Returns one. */
  get: { result: Topic }
  /** Returns one with its subscribers. */
  getV1: { result: TopicV1 }
  /** Renames one, or changes its fields. */
  update: { body: { readonly name?: string; readonly data?: object }; result: Topic }
  /** Renames one with the first version of the API. */
  renameV1: { body: { readonly name: string }; result: TopicV1 }
  /** Deletes one with all its subscriptions. Cannot be undone. */
  delete: { result: TopicDeletion }
  /** Deletes one that has no subscribers. */
  deleteV1: { result: undefined }
  /** Adds subscribers. */
  subscribe: { body: SubscriptionsBody; result: SubscriptionsResult }
  /** Removes subscribers. */
  unsubscribe: { body: UnsubscribeBody; result: SubscriptionsResult }
  /** Adds subscribers with the first version of the API. */
  addSubscribersV1: { body: { readonly subscribers: readonly string[] }; result: AddedSubscribersV1 }
  /** Removes subscribers with the first version of the API. */
  removeSubscribersV1: { body: { readonly subscribers: readonly string[] }; result: undefined }
  /** Returns the membership of one subscriber; `NotFound` when there is none. */
  checkSubscriber: { result: TopicSubscriberV1 }
  /** Lists the subscriptions of a topic. */
  listSubscriptions: {
    query: CursorQuery & { subscriberId?: string; contextKeys?: readonly string[] }
    result: CursorPage<SubscriptionItem>
  }
  /** Returns one subscription. */
  getSubscription: { result: SubscriptionDetails }
  /** Changes one subscription. */
  updateSubscription: {
    body: { readonly name?: string; readonly preferences?: readonly object[] }
    result: Subscription
  }
}

const rows = {
  list: { method: 'GET', path: '/v2/topics', paging: 'cursor' },
  listV1: { method: 'GET', path: '/v1/topics', paging: 'pageSize' },
  create: { method: 'POST', path: '/v2/topics', body: true },
  createV1: { method: 'POST', path: '/v1/topics', body: true },
  get: { method: 'GET', path: '/v2/topics/{topicKey}' },
  getV1: { method: 'GET', path: '/v1/topics/{topicKey}' },
  update: { method: 'PATCH', path: '/v2/topics/{topicKey}', body: true },
  renameV1: { method: 'PATCH', path: '/v1/topics/{topicKey}', body: true },
  delete: { method: 'DELETE', path: '/v2/topics/{topicKey}' },
  deleteV1: { method: 'DELETE', path: '/v1/topics/{topicKey}', answer: 'nothing' },
  subscribe: { method: 'POST', path: '/v2/topics/{topicKey}/subscriptions', body: true },
  unsubscribe: { method: 'DELETE', path: '/v2/topics/{topicKey}/subscriptions', body: true },
  addSubscribersV1: { method: 'POST', path: '/v1/topics/{topicKey}/subscribers', body: true },
  removeSubscribersV1: {
    method: 'POST',
    path: '/v1/topics/{topicKey}/subscribers/removal',
    body: true,
    answer: 'nothing',
  },
  checkSubscriber: { method: 'GET', path: '/v1/topics/{topicKey}/subscribers/{subscriberId}' },
  listSubscriptions: { method: 'GET', path: '/v2/topics/{topicKey}/subscriptions', paging: 'cursor' },
  getSubscription: { method: 'GET', path: '/v2/topics/{topicKey}/subscriptions/{identifier}' },
  updateSubscription: { method: 'PATCH', path: '/v2/topics/{topicKey}/subscriptions/{identifier}', body: true },
} as const

/** Every operation of {@link TopicShapes}. */
export const topicOperations: Readonly<typeof rows> = Object.freeze(rows)
