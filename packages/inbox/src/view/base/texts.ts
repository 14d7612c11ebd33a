/** The texts of the components. `{count}` is replaced by a number. */
export interface InboxTexts {
  readonly title: string
  readonly open: string
  readonly openUnread: string
  readonly loading: string
  readonly empty: string
  readonly failed: string
  readonly retry: string
  readonly loadMore: string
  readonly newMessages: string
  readonly arrived: string
  readonly unread: string
  readonly markRead: string
  readonly markUnread: string
  readonly archive: string
  readonly markAllRead: string
  readonly offline: string
  readonly refused: string
  readonly preferences: string
  readonly back: string
  readonly allWorkflows: string
  readonly email: string
  readonly sms: string
  readonly in_app: string
  readonly chat: string
  readonly push: string
}

/** The texts in English. */
export const englishTexts: InboxTexts = {
  title: 'Notifications',
  open: 'Notifications',
  openUnread: 'Notifications, {count} unread',
  loading: 'Loading…',
  empty: 'No notifications yet',
  failed: 'Something went wrong.',
  retry: 'Try again',
  loadMore: 'Load more',
  newMessages: '{count} new',
  arrived: 'New notification: {text}',
  unread: 'Unread',
  markRead: 'Mark as read',
  markUnread: 'Mark as unread',
  archive: 'Archive',
  markAllRead: 'Mark all as read',
  offline: 'Offline. Reconnecting…',
  refused: 'Notifications are not available.',
  preferences: 'Preferences',
  back: 'Back',
  allWorkflows: 'All notifications',
  email: 'Email',
  sms: 'SMS',
  in_app: 'In-app',
  chat: 'Chat',
  push: 'Push',
}
