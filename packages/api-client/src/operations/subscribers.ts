import type { CredentialsBody } from '../resources/channel.ts'
import type { Deletion } from '../resources/deletion.ts'
import type { CursorPage, CursorQuery, OpenPage, PageQuery } from '../resources/page.ts'
import type {
  BulkSubscribers,
  NewSubscriber,
  NewSubscriberV1,
  OauthAnswer,
  Subscriber,
  SubscriberProfile,
  SubscriberUpdateV1,
} from '../resources/subscriber.ts'
import type { SubscriptionItem } from '../resources/topic.ts'
import { type SubscriberFeedShapes, subscriberFeedRows } from './subscriber-feed.ts'
import { type SubscriberPreferenceShapes, subscriberPreferenceRows } from './subscriber-preferences.ts'

/** Subscribers and what belongs to them. */
export interface SubscriberShapes extends SubscriberPreferenceShapes, SubscriberFeedShapes {
  /** Searches subscribers. */
  search: {
    query: CursorQuery & { email?: string; name?: string; phone?: string; subscriberId?: string }
    result: CursorPage<Subscriber>
  }
  /** Lists subscribers by page number. */
  listV1: { query: PageQuery; result: OpenPage<Subscriber> }
  /** Creates a subscriber, or updates the one with this id; with `failIfExists` that is a conflict. */
  create: { query: { failIfExists?: boolean }; body: NewSubscriber; result: Subscriber }
  /** Creates a subscriber with the first version of the API. */
  createV1: { body: NewSubscriberV1; result: Subscriber }
  /** Creates many; more than 500 are split, each chunk with its own key. */
  createBulk: { body: { readonly subscribers: readonly NewSubscriberV1[] }; result: BulkSubscribers }
  /** Returns one. */
  get: { result: Subscriber }
  /** Returns one with the first version of the API. */
  getV1: { result: Subscriber }
  /** Replaces the fields that are given. */
  update: { body: SubscriberUpdateV1; result: Subscriber }
  /** Changes the fields that are given; `null` empties one. */
  patch: { body: SubscriberProfile; result: Subscriber }
  /** Deletes one, with its messages, preferences, subscriptions, connections and endpoints. */
  delete: { result: Deletion }
  /** Deletes one with the first version of the API. */
  deleteV1: { result: Deletion }
  /** Replaces the credentials for a provider. */
  updateCredentials: { body: CredentialsBody; result: Subscriber }
  /** Adds credentials for a provider; device tokens are united. */
  appendCredentials: { body: CredentialsBody; result: Subscriber }
  /** Deletes the credentials for a provider. */
  deleteCredentials: { result: undefined }
  /** Returns where a subscriber authorizes the provider. `hmacHash` is the one of the inbox. */
  oauth: {
    query: { readonly hmacHash: string; readonly environmentId: string; readonly integrationIdentifier?: string }
    result: OauthAnswer
  }
  /** Hands the provider's code back to the API. */
  oauthCallback: {
    query: {
      readonly code: string
      readonly state?: string
      readonly environmentId?: string
      readonly hmacHash?: string
      readonly integrationIdentifier?: string
    }
    result: OauthAnswer
  }
  /** Sets whether the subscriber is online. */
  updateOnlineStatus: { body: { readonly isOnline: boolean }; result: Subscriber }
  /** Lists the topics the subscriber belongs to. */
  listSubscriptions: {
    query: CursorQuery & { key?: string; contextKeys?: readonly string[] }
    result: CursorPage<SubscriptionItem>
  }
}

const rows = {
  search: { method: 'GET', path: '/v2/subscribers', paging: 'cursor' },
  listV1: { method: 'GET', path: '/v1/subscribers', paging: 'page' },
  create: { method: 'POST', path: '/v2/subscribers', body: true },
  createV1: { method: 'POST', path: '/v1/subscribers', body: true },
  createBulk: { method: 'POST', path: '/v1/subscribers/bulk', body: true, bulk: { field: 'subscribers', max: 500 } },
  get: { method: 'GET', path: '/v2/subscribers/{subscriberId}' },
  getV1: { method: 'GET', path: '/v1/subscribers/{subscriberId}' },
  update: { method: 'PUT', path: '/v1/subscribers/{subscriberId}', body: true },
  patch: { method: 'PATCH', path: '/v2/subscribers/{subscriberId}', body: true },
  delete: { method: 'DELETE', path: '/v2/subscribers/{subscriberId}' },
  deleteV1: { method: 'DELETE', path: '/v1/subscribers/{subscriberId}' },
  updateCredentials: { method: 'PUT', path: '/v1/subscribers/{subscriberId}/credentials', body: true },
  appendCredentials: { method: 'PATCH', path: '/v1/subscribers/{subscriberId}/credentials', body: true },
  deleteCredentials: {
    method: 'DELETE',
    path: '/v1/subscribers/{subscriberId}/credentials/{providerId}',
    answer: 'nothing',
  },
  oauth: { method: 'GET', path: '/v1/subscribers/{subscriberId}/credentials/{providerId}/oauth', answer: 'location' },
  oauthCallback: {
    method: 'GET',
    path: '/v1/subscribers/{subscriberId}/credentials/{providerId}/oauth/callback',
    answer: 'location',
  },
  updateOnlineStatus: { method: 'PATCH', path: '/v1/subscribers/{subscriberId}/online-status', body: true },
  listSubscriptions: { method: 'GET', path: '/v2/subscribers/{subscriberId}/subscriptions', paging: 'cursor' },
} as const

/** Every operation of {@link SubscriberShapes}. */
export const subscriberOperations: Readonly<typeof rows & typeof subscriberPreferenceRows & typeof subscriberFeedRows> =
  Object.freeze({ ...rows, ...subscriberPreferenceRows, ...subscriberFeedRows })
