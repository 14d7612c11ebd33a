/** The severity of a message. */
export type Severity = 'high' | 'medium' | 'low' | 'none'

/** The target of a link or button. */
export interface Redirect {
  readonly url: string
  /** The browsing context, such as `_blank`. */
  readonly target?: string
}

/** A button in a message. */
export interface NotificationAction {
  /** Its text. */
  readonly label: string
  /** Whether the action has been completed. */
  readonly isCompleted: boolean
  /** Its target. */
  readonly redirect?: Redirect
}

/** The workflow that sent a message. */
export interface WorkflowSummary {
  /** Row id. */
  readonly id: string
  /** Identifier in the code. */
  readonly identifier: string
  /** The display name. */
  readonly name: string
  /** Whether subscribers cannot turn it off. */
  readonly critical: boolean
  readonly severity: Severity
  readonly tags?: readonly string[]
}

/** An in-app message. */
export interface InboxNotification {
  /** Its id. Newer messages have greater ids. */
  readonly id: string
  /** Title. */
  readonly subject?: string
  /** Text. */
  readonly body: string
  /** Whether the message was read. */
  readonly isRead: boolean
  /** Whether the message was displayed. */
  readonly isSeen: boolean
  /** Whether the message is archived. */
  readonly isArchived: boolean
  /** Whether the message is snoozed until `snoozedUntil`. */
  readonly isSnoozed: boolean
  /** End of the snooze, in ISO 8601. */
  readonly snoozedUntil: string | null
  /** Creation time, in ISO 8601. */
  readonly createdAt: string
  /** Read time, in ISO 8601. */
  readonly readAt: string | null
  /** URL of an image. */
  readonly avatar?: string
  /** First button. */
  readonly primaryAction?: NotificationAction
  /** Second button. */
  readonly secondaryAction?: NotificationAction
  /** The page that a click on the message opens. */
  readonly redirect?: Redirect
  /** Tags of the workflow. */
  readonly tags?: readonly string[]
  /** Custom data set by the workflow. */
  readonly data?: Readonly<Record<string, unknown>>
  /** The workflow that sent the message. */
  readonly workflow?: WorkflowSummary
  readonly severity: Severity
}

/** Channels that a subscriber can turn on and off. */
export type InboxChannel = 'email' | 'sms' | 'in_app' | 'chat' | 'push'

/** Whether each channel is enabled. */
export type ChannelPreferences = Readonly<Partial<Record<InboxChannel, boolean>>>

/** Days of a weekly schedule. */
export type Weekday = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'

/** The hours of a day in which a subscriber can receive notifications. */
export interface ScheduleDay {
  /** Whether the subscriber can receive notifications on this day. */
  readonly isEnabled: boolean
  /** Ranges such as `{ start: '09:00', end: '17:30' }`; without ranges, the whole day. */
  readonly hours?: readonly { readonly start: string; readonly end: string }[]
}

/** When a subscriber can receive notifications. */
export interface InboxSchedule {
  /** Whether the schedule is used. */
  readonly isEnabled: boolean
  /** The days; on missing days, no notifications are received. */
  readonly weeklySchedule?: Readonly<Partial<Record<Weekday, ScheduleDay>>>
}

/** The preference for one workflow, or the global one. */
export interface InboxPreference {
  /** Whether it applies to all workflows or to one. */
  readonly level: 'global' | 'template'
  /** Whether notifications are enabled at all. */
  readonly enabled: boolean
  /** The channels that can be changed. */
  readonly channels: ChannelPreferences
  /** The workflow, if the preference applies to one. */
  readonly workflow?: WorkflowSummary
  /** The schedule, if it is the global preference and the subscriber has a schedule. */
  readonly schedule?: InboxSchedule
}

/** Numbers of unread messages. */
export interface UnreadCounts {
  /** All unread messages. */
  readonly total: number
  readonly severity: Readonly<Record<Severity, number>>
}
