import type { InboxChannel } from '../../wire/resources.ts'

/** The texts displayed by the components. `{count}`, `{text}` and `{time}` are replaced. */
export interface InboxTexts extends Readonly<Record<InboxChannel, string>> {
  /** Title of the list. */
  readonly title: string
  /** Name of the bell if there are no unread messages. */
  readonly open: string
  /** Name of the bell if there are unread messages, with `{count}`. */
  readonly openUnread: string
  readonly close: string
  readonly back: string

  /** Name of the tabs. */
  readonly show: string
  readonly all: string
  readonly unread: string
  readonly snoozed: string
  readonly archived: string

  readonly loading: string
  readonly loadMore: string
  readonly empty: string
  readonly emptyHint: string
  readonly emptyUnread: string
  readonly emptySnoozed: string
  readonly emptyArchived: string
  readonly failed: string
  readonly retry: string
  readonly offline: string
  readonly refused: string
  /** Displayed if the service rejected a change. */
  readonly changeFailed: string
  readonly dismiss: string

  /** Button above the list, with `{count}`. */
  readonly newMessages: string
  /** Announced to screen readers when a message arrives, with `{text}`. */
  readonly arrived: string
  /** Announced for messages of high severity. */
  readonly important: string

  readonly markAllRead: string
  readonly archiveAllRead: string
  readonly archiveAll: string
  readonly markRead: string
  readonly markUnread: string
  readonly archive: string
  readonly unarchive: string
  readonly delete: string
  readonly snooze: string
  readonly unsnooze: string
  readonly inAnHour: string
  readonly thisEvening: string
  readonly tomorrow: string
  readonly nextWeek: string
  /** With `{time}`. */
  readonly snoozedUntil: string
  /** Name of the menu for all messages. */
  readonly more: string
  /** Name of the menu of a message, with `{text}`. */
  readonly actionsOf: string
  /** Announced for a completed action. */
  readonly completed: string

  readonly preferences: string
  readonly allWorkflows: string
  readonly schedule: string
  /** Label of the switch that turns the schedule on. */
  readonly useSchedule: string
  readonly scheduleHint: string
  /** Start of a range of hours. */
  readonly from: string
  /** End of a range of hours. */
  readonly to: string
}

/** The English texts, which are the default. */
export const englishTexts: InboxTexts = {
  title: 'Notifications',
  open: 'Notifications',
  openUnread: 'Notifications, {count} unread',
  close: 'Close',
  back: 'Back',

  show: 'Show',
  all: 'All',
  unread: 'Unread',
  snoozed: 'Snoozed',
  archived: 'Archived',

  loading: 'Loading…',
  loadMore: 'Load more',
  empty: 'No notifications yet',
  emptyHint: 'New notifications appear here as they arrive.',
  emptyUnread: 'You’re all caught up',
  emptySnoozed: 'Nothing is snoozed',
  emptyArchived: 'Nothing is archived',
  failed: 'Something went wrong.',
  retry: 'Try again',
  offline: 'Offline. Reconnecting…',
  refused: 'Notifications are not available.',
  changeFailed: 'Your change was not saved.',
  dismiss: 'Dismiss',

  newMessages: '{count} new',
  arrived: 'New notification: {text}',
  important: 'Important',

  markAllRead: 'Mark all as read',
  archiveAllRead: 'Archive all read',
  archiveAll: 'Archive all',
  markRead: 'Mark as read',
  markUnread: 'Mark as unread',
  archive: 'Archive',
  unarchive: 'Move to inbox',
  delete: 'Delete',
  snooze: 'Snooze',
  unsnooze: 'End snooze',
  inAnHour: 'In an hour',
  thisEvening: 'This evening',
  tomorrow: 'Tomorrow',
  nextWeek: 'Next week',
  snoozedUntil: 'Snoozed until {time}',
  more: 'More actions',
  actionsOf: 'Actions for {text}',
  completed: 'Done',

  preferences: 'Preferences',
  allWorkflows: 'All notifications',
  schedule: 'Schedule',
  useSchedule: 'Use a schedule',
  scheduleHint: 'Delayed notifications wait for these hours.',
  from: 'From',
  to: 'To',

  email: 'Email',
  sms: 'SMS',
  in_app: 'In-app',
  chat: 'Chat',
  push: 'Push',
}

/** Returns a text with its placeholders replaced. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values).reduce((result, [name, value]) => result.replace(`{${name}}`, () => String(value)), text)
