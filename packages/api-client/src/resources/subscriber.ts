import type { Channel, CredentialsBody } from './channel.ts'
import type { JsonObject } from './json-object.ts'

/** The profile fields a caller may set; `null` empties one. */
export interface SubscriberProfile {
  /** Given name. */
  readonly firstName?: string | null | undefined
  /** Family name. */
  readonly lastName?: string | null | undefined
  /** Mail address. */
  readonly email?: string | null | undefined
  /** Phone number. */
  readonly phone?: string | null | undefined
  /** URL of a picture. */
  readonly avatar?: string | null | undefined
  /** BCP 47 language tag. */
  readonly locale?: string | null | undefined
  /** Time zone, IANA name. */
  readonly timezone?: string | null | undefined
  /** Free fields. */
  readonly data?: object | null | undefined
}

/** A new subscriber. */
export interface NewSubscriber extends SubscriberProfile {
  /** The customer's own id. */
  readonly subscriberId: string
}

/** A new subscriber of the first version, with credentials of its channels. */
export interface NewSubscriberV1 extends NewSubscriber {
  /** Channels with their credentials. */
  readonly channels?: readonly CredentialsBody[] | undefined
}

/** The fields of a subscriber that the first version of the API changes. */
export interface SubscriberUpdateV1 extends SubscriberProfile {
  /** Channels with their credentials; those of other integrations stay. */
  readonly channels?: readonly CredentialsBody[] | undefined
}

/** A recipient of notifications. */
export interface Subscriber {
  /** The service's id. */
  readonly _id?: string
  /** The customer's own id. */
  readonly subscriberId: string
  /** Given name. */
  readonly firstName?: string | null
  /** Family name. */
  readonly lastName?: string | null
  /** Mail address. */
  readonly email?: string | null
  /** Phone number. */
  readonly phone?: string | null
  /** URL of a picture. */
  readonly avatar?: string | null
  /** BCP 47 language tag. */
  readonly locale?: string | null
  /** Time zone, IANA name. */
  readonly timezone?: string | null
  /** Free fields. */
  readonly data?: JsonObject | null
  /** Channels with their credentials. */
  readonly channels?: readonly Channel[]
  /** Keys of the topics it belongs to. */
  readonly topics?: readonly string[]
  /** Whether the subscriber is online now. */
  readonly isOnline?: boolean | null
  /** When the subscriber was last online. */
  readonly lastOnlineAt?: string | null
  /** The organization. */
  readonly _organizationId: string
  /** The environment. */
  readonly _environmentId: string
  /** Whether it has been deleted. */
  readonly deleted: boolean
  /** When it was created. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
  /** Version of the stored document. */
  readonly __v?: number
}

/** The outcome of a bulk creation, subscriber by subscriber. */
export interface BulkSubscribers {
  /** Those that existed and were changed. */
  readonly updated: readonly { readonly subscriberId: string }[]
  /** Those that are new. */
  readonly created: readonly { readonly subscriberId: string }[]
  /** Those that failed, and why. */
  readonly failed: readonly { readonly subscriberId?: string; readonly message?: string }[]
}

/** The answer of an authorization page: the address to send the browser to, or a page. */
export interface OauthAnswer {
  /** Where the provider's page is, when the API answers with a redirect. */
  readonly location?: string
  /** The same address, when the API answers with JSON. */
  readonly url?: string
  /** Whether the provider's code was taken, when the API answers with JSON. */
  readonly connected?: boolean
  /** The text of an answer that is a page. */
  readonly body?: string
}
