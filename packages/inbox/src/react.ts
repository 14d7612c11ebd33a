'use client'

export { useInbox, useNotifications, usePreferences } from './view/base/hooks.ts'
export {
  type InboxContext,
  InboxProvider,
  type InboxProviderProps,
  type InboxView,
  type OnNotificationClick,
  useInboxContext,
} from './view/base/provider.tsx'
export { englishTexts, type InboxTexts } from './view/base/texts.ts'
export { Bell, type BellProps } from './view/bell.tsx'
export { Inbox, type InboxProps } from './view/inbox-view.tsx'
export { Notifications, type NotificationsProps } from './view/list/notifications.tsx'
export { Preferences } from './view/settings/preferences-view.tsx'
