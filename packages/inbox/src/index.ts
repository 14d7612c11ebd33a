export { InboxError, type InboxErrorCode } from './base/inbox-error.ts'
export type { ConnectionStatus, InboxEvents } from './store/connection.ts'
export type { InboxCounts } from './store/counts.ts'
export { createInbox, type Inbox, type InboxSnapshot } from './store/create-inbox.ts'
export type { MarkFilter, Marks } from './store/marks.ts'
export type { NotificationFilter } from './store/notification-filter.ts'
export type { NotificationList, NotificationListSnapshot } from './store/notification-list.ts'
export type { Preferences, PreferencesSnapshot } from './store/preference-store.ts'
export type { InboxOptions, InboxSubscriber } from './wire/inbox-options.ts'
export type {
  ChannelPreferences,
  InboxChannel,
  InboxNotification,
  InboxPreference,
  InboxSchedule,
  NotificationAction,
  Redirect,
  ScheduleDay,
  Severity,
  UnreadCounts,
  Weekday,
  WorkflowSummary,
} from './wire/resources.ts'
