/** A recipient. */
export interface Subscriber {
  /** Row id. */
  readonly _id: string
  /** The app's own identifier. */
  readonly subscriberId: string
  /** Given name. */
  readonly firstName?: string
  /** Family name. */
  readonly lastName?: string
  /** Mail address. */
  readonly email?: string
  /** Phone number. */
  readonly phone?: string
  /** Address of a picture. */
  readonly avatar?: string
  /** Language, such as `en_US`. */
  readonly locale?: string
  /** Time zone. */
  readonly timezone?: string
  /** Free fields. */
  readonly data?: Readonly<Record<string, unknown>>
  /** When it was created. */
  readonly createdAt: string
}

/** Returns what people call a subscriber: the name where there is one, else the identifier. */
export function nameOf({ firstName, lastName, subscriberId }: Partial<Subscriber>): string {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return name === '' ? (subscriberId ?? '') : name
}

/** A button of an in-app message. */
export interface InboxAction {
  /** Its text. */
  readonly label: string
  /** Whether it was pressed. */
  readonly isCompleted: boolean
  /** Where it leads. */
  readonly redirect?: { readonly url?: string }
}

/** An in-app message, as the inbox has it. */
export interface InboxItem {
  /** Row id. */
  readonly id: string
  /** Its subject. */
  readonly subject?: string
  /** Its body, simple HTML. */
  readonly body: string
  /** Address of a picture. */
  readonly avatar?: string
  /** Whether it was read. */
  readonly isRead: boolean
  /** Whether it was put away. */
  readonly isArchived: boolean
  /** Whether it is hidden for a while. */
  readonly isSnoozed: boolean
  /** When it was delivered. */
  readonly createdAt: string
  /** The first button. */
  readonly primaryAction?: InboxAction
  /** The second button. */
  readonly secondaryAction?: InboxAction
  /** Where a click leads. */
  readonly redirect?: { readonly url?: string }
  /** The workflow it comes from. */
  readonly workflow?: { readonly identifier: string; readonly name: string }
}

/** A page of an inbox. */
export interface InboxPage {
  /** The messages, the newest first. */
  readonly data: readonly InboxItem[]
  /** Whether there are more. */
  readonly hasMore: boolean
}

/** What a subscriber wants of one workflow. */
export interface WorkflowPreference {
  /** Whether anything is sent. */
  readonly enabled: boolean
  /** What is sent, by channel. */
  readonly channels: Readonly<Record<string, boolean>>
  /** The workflow. */
  readonly workflow: { readonly identifier: string; readonly name: string }
}

/** What a subscriber wants. */
export interface Preferences {
  /** Of all workflows. */
  readonly global: { readonly enabled: boolean; readonly channels: Readonly<Record<string, boolean>> }
  /** Of each. */
  readonly workflows: readonly WorkflowPreference[]
}

/** A message of any channel, as it was stored. */
export interface StoredMessage {
  /** Row id. */
  readonly _id: string
  /** Row id of the run. */
  readonly _notificationId: string
  /** `in_app`, `email`, ... */
  readonly channel: string
  /** `sent`, `error` or `warning`. */
  readonly status: string
  /** Why it was not delivered. */
  readonly errorText?: string
  /** The workflow's identifier. */
  readonly templateIdentifier: string
  /** Its subject. */
  readonly subject?: string
  /** Its title. */
  readonly title?: string
  /** Its body. */
  readonly content?: unknown
  /** When it was stored. */
  readonly createdAt: string
}

/** A page of a list by number. */
export interface NumberedPage<T> {
  /** The items. */
  readonly data: readonly T[]
  /** Its number, from 0. */
  readonly page: number
  /** Whether there are more. */
  readonly hasMore: boolean
}
