import type { InboxCount, InboxItem, InboxPage, InboxQuery, InboxSelection } from '../resources/activity/inbox.ts'

/** In-app messages of one subscriber. */
export interface InboxShapes {
  /** Lists messages, newest first. */
  list: { query: InboxQuery; result: InboxPage }
  /** Counts messages by filter. `filters` is a JSON text: a list of filters such as `[{"read":false}]`. */
  count: { query: { readonly filters: string }; result: readonly InboxCount[] }
  /** Marks one as read. */
  markRead: { result: InboxItem }
  /** Marks one as unread. */
  markUnread: { result: InboxItem }
  /** Archives one. */
  archive: { result: InboxItem }
  /** Takes one out of the archive. */
  unarchive: { result: InboxItem }
  /** Puts one off until a time, ISO 8601. */
  snooze: { body: { readonly snoozeUntil: string }; result: InboxItem }
  /** Brings one back that was put off. */
  unsnooze: { result: InboxItem }
  /** Marks an action of one as done. */
  completeAction: { result: InboxItem }
  /** Marks an action of one as not done. */
  revertAction: { result: InboxItem }
  /** Deletes one. */
  delete: { result: undefined }
  /** Marks the selected ones as read. */
  markAllRead: { body: InboxSelection; result: undefined }
  /** Archives the selected ones. */
  archiveAll: { body: InboxSelection; result: undefined }
  /** Archives the selected ones that have been read. */
  archiveAllRead: { body: InboxSelection; result: undefined }
  /** Marks the selected ones as seen. */
  markAllSeen: { body: InboxSelection & { readonly notificationIds?: readonly string[] }; result: undefined }
  /** Deletes the selected ones. */
  deleteAll: { body: InboxSelection; result: undefined }
}

const rows = {
  list: { method: 'GET', path: '/v2/subscribers/{subscriberId}/notifications', paging: 'offset' },
  count: { method: 'GET', path: '/v2/subscribers/{subscriberId}/notifications/count' },
  markRead: { method: 'PATCH', path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}/read' },
  markUnread: { method: 'PATCH', path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}/unread' },
  archive: { method: 'PATCH', path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}/archive' },
  unarchive: { method: 'PATCH', path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}/unarchive' },
  snooze: { method: 'PATCH', path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}/snooze', body: true },
  unsnooze: { method: 'PATCH', path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}/unsnooze' },
  completeAction: {
    method: 'PATCH',
    path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}/actions/{type}/complete',
    choices: { type: ['primary', 'secondary'] },
  },
  revertAction: {
    method: 'PATCH',
    path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}/actions/{type}/revert',
    choices: { type: ['primary', 'secondary'] },
  },
  delete: {
    method: 'DELETE',
    path: '/v2/subscribers/{subscriberId}/notifications/{notificationId}',
    answer: 'nothing',
  },
  markAllRead: {
    method: 'POST',
    path: '/v2/subscribers/{subscriberId}/notifications/read',
    body: true,
    answer: 'nothing',
  },
  archiveAll: {
    method: 'POST',
    path: '/v2/subscribers/{subscriberId}/notifications/archive',
    body: true,
    answer: 'nothing',
  },
  archiveAllRead: {
    method: 'POST',
    path: '/v2/subscribers/{subscriberId}/notifications/read-archive',
    body: true,
    answer: 'nothing',
  },
  markAllSeen: {
    method: 'POST',
    path: '/v2/subscribers/{subscriberId}/notifications/seen',
    body: true,
    answer: 'nothing',
  },
  deleteAll: {
    method: 'POST',
    path: '/v2/subscribers/{subscriberId}/notifications/delete',
    body: true,
    answer: 'nothing',
  },
} as const

/** Every operation of {@link InboxShapes}. */
export const inboxOperations: Readonly<typeof rows> = Object.freeze(rows)
