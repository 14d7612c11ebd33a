import type { ChannelType, Severity } from '../channel.ts'
import type { JsonObject } from '../json-object.ts'

/** A link of an inbox message. */
export interface InboxRedirect {
  /** The address. */
  readonly url: string
  /** Where it opens, such as `_blank`. */
  readonly target?: string
}

/** A button of an inbox message. */
export interface InboxAction {
  /** The words on it. */
  readonly label: string
  /** Whether it has been used. */
  readonly isCompleted: boolean
  /** Where it leads. */
  readonly redirect?: InboxRedirect
}

/** An in-app message in a subscriber's inbox. */
export interface InboxItem {
  /** The message's id. */
  readonly id: string
  /** The transaction. */
  readonly transactionId: string
  /** The subject. */
  readonly subject?: string
  /** The body. */
  readonly body: string
  /** The recipient. */
  readonly to: {
    readonly id: string
    readonly subscriberId: string
    readonly firstName?: string
    readonly lastName?: string
    readonly avatar?: string
  }
  /** Whether it has been read. */
  readonly isRead: boolean
  /** Whether it has been seen. */
  readonly isSeen: boolean
  /** Whether it has been archived. */
  readonly isArchived: boolean
  /** Whether it is put off. */
  readonly isSnoozed: boolean
  /** Until when it is put off. */
  readonly snoozedUntil?: string | null
  /** When it was delivered. */
  readonly deliveredAt?: readonly string[]
  /** When it was created. */
  readonly createdAt: string
  /** When it was read. */
  readonly readAt?: string | null
  /** When it was first seen. */
  readonly firstSeenAt?: string | null
  /** When it was archived. */
  readonly archivedAt?: string | null
  /** URL of a picture. */
  readonly avatar?: string
  /** The first button. */
  readonly primaryAction?: InboxAction
  /** The second button. */
  readonly secondaryAction?: InboxAction
  /** The channel. */
  readonly channelType: ChannelType
  /** Tags of the workflow. */
  readonly tags?: readonly string[]
  /** Free fields. */
  readonly data?: JsonObject
  /** Where a click leads. */
  readonly redirect?: InboxRedirect
  /** The workflow. */
  readonly workflow?: {
    readonly id: string
    readonly identifier: string
    readonly name: string
    readonly critical: boolean
    readonly severity: Severity
    readonly tags?: readonly string[]
    readonly data?: JsonObject
  }
  /** How urgent it is. */
  readonly severity: Severity
}

/** A page of an inbox. */
export interface InboxPage {
  /** The messages, newest first. */
  readonly data: readonly InboxItem[]
  /** Whether more follow. */
  readonly hasMore: boolean
  /** The filter as the API understood it. */
  readonly filter: JsonObject
}

/** Which messages of an inbox are meant; all of them without a member. */
export interface InboxSelection {
  /** Tags of the workflow. */
  readonly tags?: readonly string[] | undefined
  /** Values of the free fields, a JSON text. */
  readonly data?: string | undefined
  /** The contexts. */
  readonly contextKeys?: readonly string[] | undefined
}

/** Query of an inbox. */
export interface InboxQuery extends InboxSelection {
  /** Messages per page. */
  readonly limit?: number | undefined
  /** Messages that are left out in front. */
  readonly offset?: number | undefined
  /** The id of a message; those after it are returned. */
  readonly after?: string | undefined
  /** Only those that have been read, or have not. */
  readonly read?: boolean | undefined
  /** Only those that have been archived, or have not. */
  readonly archived?: boolean | undefined
  /** Only those that are put off, or are not. */
  readonly snoozed?: boolean | undefined
  /** Only those that have been seen, or have not. */
  readonly seen?: boolean | undefined
  /** Only those this urgent. */
  readonly severity?: readonly Severity[] | undefined
  /** The earliest creation, milliseconds since 1970. */
  readonly createdGte?: number | undefined
  /** The latest creation, milliseconds since 1970. */
  readonly createdLte?: number | undefined
}

/** The number of messages that match one filter. */
export interface InboxCount {
  /** The number. */
  readonly count: number
  /** The filter as the API understood it. */
  readonly filter: JsonObject
}
