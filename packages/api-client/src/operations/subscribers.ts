import type { CursorPage, CursorQuery, NumberedPage, PageQuery } from '../resources/page.ts'
import type {
  ChannelCredentials,
  ChannelProvider,
  Deletion,
  NewSubscriber,
  Subscriber,
  SubscriberProfile,
} from '../resources/resource.ts'
import type { JsonObject } from './operation.ts'

/** Credentials for one provider. */
export interface CredentialsBody {
  /** The provider. */
  readonly providerId: ChannelProvider
  /** What it needs. */
  readonly credentials: ChannelCredentials
  /** The integration, where the provider has several. */
  readonly integrationIdentifier?: string
}

/** What became of many new subscribers. */
export interface BulkSubscribers {
  /** Those that existed and were changed. */
  readonly updated: readonly { readonly subscriberId: string }[]
  /** Those that are new. */
  readonly created: readonly { readonly subscriberId: string }[]
  /** Those that failed, and why. */
  readonly failed: readonly { readonly subscriberId?: string; readonly message?: string }[]
}

/** Marks of an in-app message. */
export type MessageMark = 'read' | 'seen' | 'unread' | 'unseen'

/** Subscribers and what belongs to them. */
export interface SubscriberShapes {
  /** Searches subscribers. */
  search: {
    query: CursorQuery & { email?: string; name?: string; phone?: string; subscriberId?: string }
    result: CursorPage<Subscriber>
  }
  /** Lists subscribers by page number. */
  listV1: { query: PageQuery; result: NumberedPage<Subscriber> }
  /** Creates a subscriber, or updates the one with this id; with `failIfExists` that is a conflict. */
  create: { query: { failIfExists?: boolean }; body: NewSubscriber; result: Subscriber }
  /** Creates a subscriber with the first version of the API. */
  createV1: { body: NewSubscriber; result: Subscriber }
  /** Creates many; more than 500 are split, each chunk with its own key. */
  createBulk: { body: { readonly subscribers: readonly NewSubscriber[] }; result: BulkSubscribers }
  /** Gives one. */
  get: { result: Subscriber }
  /** Gives one with the first version of the API. */
  getV1: { result: Subscriber }
  /** Replaces the fields that are given. */
  update: { body: SubscriberProfile; result: Subscriber }
  /** Changes the fields that are given; `null` empties one. */
  patch: { body: SubscriberProfile; result: Subscriber }
  /** Deletes one, with its messages, preferences and subscriptions. */
  delete: { result: Deletion }
  /** Deletes one with the first version of the API. */
  deleteV1: { result: Deletion }
  /** Sets the credentials for a provider. */
  updateCredentials: { body: CredentialsBody; result: Subscriber }
  /** Adds device tokens to those that are there. */
  appendCredentials: { body: CredentialsBody; result: Subscriber }
  /** Deletes the credentials for a provider. */
  deleteCredentials: { result: undefined }
  /** Starts a provider's authorization; where the API redirects, `location` is the address for the user's browser. */
  oauth: {
    query: { readonly hmacHash: string; readonly environmentId: string; readonly integrationIdentifier?: string }
    result: { readonly location: string } | JsonObject
  }
  /** Ends a provider's authorization. */
  oauthCallback: {
    query: {
      readonly code: string
      readonly environmentId: string
      readonly hmacHash?: string
      readonly integrationIdentifier?: string
    }
    result: { readonly location: string } | JsonObject
  }
  /** Sets whether the subscriber is online. */
  updateOnlineStatus: { body: { readonly isOnline: boolean }; result: Subscriber }
  /** Gives the preferences. */
  getPreferences: {
    query: { criticality?: 'nonCritical' | 'critical' | 'all'; contextKeys?: readonly string[] }
    result: JsonObject
  }
  /** Gives the preferences per workflow, first version. */
  getPreferencesV1: { result: readonly JsonObject[] }
  /** Gives the preferences of a level, `template` or `global`. */
  getPreferencesByLevel: { result: readonly JsonObject[] }
  /** Changes preferences: of one workflow where `workflowId` is given, else the global ones. */
  updatePreferences: { body: JsonObject; result: JsonObject }
  /** Changes the preference for one workflow, first version. */
  updatePreferenceV1: { body: JsonObject; result: JsonObject }
  /** Changes the global preferences, first version. */
  updateGlobalPreferencesV1: { body: JsonObject; result: JsonObject }
  /** Changes the preferences of up to 100 workflows. */
  updatePreferencesBulk: { body: { readonly preferences: readonly JsonObject[] }; result: readonly JsonObject[] }
  /** Gives the in-app feed. */
  getFeed: {
    query: PageQuery & { read?: boolean; seen?: boolean; feedIdentifier?: string | readonly string[]; payload?: string }
    result: NumberedPage<JsonObject>
  }
  /** Counts unseen messages. */
  getUnseenCount: {
    query: { seen?: boolean; limit?: number; feedIdentifier?: string | readonly string[] }
    result: { readonly count: number }
  }
  /** Marks messages. */
  markMessages: {
    body: { readonly messageId: string | readonly string[]; readonly markAs: MessageMark }
    result: readonly JsonObject[]
  }
  /** Marks all messages, of some feeds where they are named. */
  markAllMessages: {
    body: { readonly markAs: MessageMark; readonly feedIdentifier?: string | readonly string[] }
    result: number
  }
  /** Marks a message's action. */
  markAction: {
    body: { readonly status: 'pending' | 'done'; readonly payload?: JsonObject }
    result: JsonObject
  }
  /** Lists the topics the subscriber belongs to. */
  listSubscriptions: {
    query: CursorQuery & { key?: string; contextKeys?: readonly string[] }
    result: CursorPage<JsonObject>
  }
}

const rows = {
  search: { method: 'GET', path: '/v2/subscribers', paging: 'cursor' },
  listV1: { method: 'GET', path: '/v1/subscribers', paging: 'page' },
  create: { method: 'POST', path: '/v2/subscribers' },
  createV1: { method: 'POST', path: '/v1/subscribers' },
  createBulk: { method: 'POST', path: '/v1/subscribers/bulk', bulk: { field: 'subscribers', max: 500 } },
  get: { method: 'GET', path: '/v2/subscribers/{subscriberId}' },
  getV1: { method: 'GET', path: '/v1/subscribers/{subscriberId}' },
  update: { method: 'PUT', path: '/v1/subscribers/{subscriberId}' },
  patch: { method: 'PATCH', path: '/v2/subscribers/{subscriberId}' },
  delete: { method: 'DELETE', path: '/v2/subscribers/{subscriberId}' },
  deleteV1: { method: 'DELETE', path: '/v1/subscribers/{subscriberId}' },
  updateCredentials: { method: 'PUT', path: '/v1/subscribers/{subscriberId}/credentials' },
  appendCredentials: { method: 'PATCH', path: '/v1/subscribers/{subscriberId}/credentials' },
  deleteCredentials: { method: 'DELETE', path: '/v1/subscribers/{subscriberId}/credentials/{providerId}' },
  oauth: { method: 'GET', path: '/v1/subscribers/{subscriberId}/credentials/{providerId}/oauth', givesLocation: true },
  oauthCallback: {
    method: 'GET',
    path: '/v1/subscribers/{subscriberId}/credentials/{providerId}/oauth/callback',
    givesLocation: true,
  },
  updateOnlineStatus: { method: 'PATCH', path: '/v1/subscribers/{subscriberId}/online-status' },
  getPreferences: { method: 'GET', path: '/v2/subscribers/{subscriberId}/preferences' },
  getPreferencesV1: { method: 'GET', path: '/v1/subscribers/{subscriberId}/preferences' },
  getPreferencesByLevel: { method: 'GET', path: '/v1/subscribers/{subscriberId}/preferences/{level}' },
  updatePreferences: { method: 'PATCH', path: '/v2/subscribers/{subscriberId}/preferences' },
  updatePreferenceV1: { method: 'PATCH', path: '/v1/subscribers/{subscriberId}/preferences/{templateId}' },
  updateGlobalPreferencesV1: { method: 'PATCH', path: '/v1/subscribers/{subscriberId}/preferences' },
  updatePreferencesBulk: { method: 'PATCH', path: '/v2/subscribers/{subscriberId}/preferences/bulk' },
  getFeed: { method: 'GET', path: '/v1/subscribers/{subscriberId}/notifications/feed', paging: 'page' },
  getUnseenCount: { method: 'GET', path: '/v1/subscribers/{subscriberId}/notifications/unseen' },
  markMessages: { method: 'POST', path: '/v1/subscribers/{subscriberId}/messages/mark-as' },
  markAllMessages: { method: 'POST', path: '/v1/subscribers/{subscriberId}/messages/mark-all' },
  markAction: { method: 'POST', path: '/v1/subscribers/{subscriberId}/messages/{messageId}/actions/{type}' },
  listSubscriptions: { method: 'GET', path: '/v2/subscribers/{subscriberId}/subscriptions', paging: 'cursor' },
} as const

/** Every operation of {@link SubscriberShapes}. */
export const subscriberOperations: Readonly<typeof rows> = Object.freeze(rows)
