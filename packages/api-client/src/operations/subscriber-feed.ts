import type { ActionStatus, FeedItem, Message, MessageMark } from '../resources/activity/message.ts'
import type { OpenPage, PageQuery } from '../resources/page.ts'

/** In-app feeds of subscribers, first version. `inbox` has those of the second. */
export interface SubscriberFeedShapes {
  /** Returns the in-app feed. */
  getFeed: {
    query: PageQuery & { read?: boolean; seen?: boolean; feedIdentifier?: string | readonly string[]; payload?: string }
    result: OpenPage<FeedItem>
  }
  /** Counts unseen messages. */
  getUnseenCount: {
    query: { seen?: boolean; limit?: number; feedIdentifier?: string | readonly string[] }
    result: { readonly count: number }
  }
  /** Marks messages. */
  markMessages: {
    body: { readonly messageId: string | readonly string[]; readonly markAs: MessageMark }
    result: readonly Message[]
  }
  /** Marks all messages, of some feeds where they are named, and returns how many changed. */
  markAllMessages: {
    body: { readonly markAs: MessageMark; readonly feedIdentifier?: string | readonly string[] }
    result: number
  }
  /** Marks a message's action. */
  markAction: { body: { readonly status: ActionStatus; readonly payload?: object }; result: Message }
}

const rows = {
  getFeed: { method: 'GET', path: '/v1/subscribers/{subscriberId}/notifications/feed', paging: 'page' },
  getUnseenCount: { method: 'GET', path: '/v1/subscribers/{subscriberId}/notifications/unseen' },
  markMessages: { method: 'POST', path: '/v1/subscribers/{subscriberId}/messages/mark-as', body: true },
  markAllMessages: { method: 'POST', path: '/v1/subscribers/{subscriberId}/messages/mark-all', body: true },
  markAction: {
    method: 'POST',
    path: '/v1/subscribers/{subscriberId}/messages/{messageId}/actions/{type}',
    choices: { type: ['primary', 'secondary'] },
    body: true,
  },
} as const

/** Every operation of {@link SubscriberFeedShapes}. */
export const subscriberFeedRows: Readonly<typeof rows> = Object.freeze(rows)
