import type { Message } from '../resources/activity/message.ts'
import type { DayStatistics, ExecutionDetail, Notification } from '../resources/activity/notification.ts'
import type { ChannelType, Severity } from '../resources/channel.ts'
import type { Deletion } from '../resources/deletion.ts'
import type { OpenPage, PageQuery } from '../resources/page.ts'

/** Runs of workflows. */
export interface NotificationShapes {
  /** Lists runs, newest first. `after` and `before` are dates here. */
  list: {
    query: PageQuery & {
      channels?: readonly ChannelType[]
      templates?: readonly string[]
      emails?: readonly string[]
      subscriberIds?: readonly string[]
      severity?: readonly Severity[]
      contextKeys?: readonly string[]
      search?: string
      transactionId?: string
      topicKey?: string
      subscriptionId?: string
      after?: string
      before?: string
    }
    result: OpenPage<Notification>
  }
  /** Counts what was sent in the last week and month. */
  getStatistics: { result: { readonly weeklySent: number; readonly monthlySent: number } }
  /** Counts what was sent day by day. */
  getGraphStatistics: { query: { days?: number }; result: readonly DayStatistics[] }
  /** Returns one run with its jobs. */
  get: { result: Notification }
}

/** Messages of runs. */
export interface MessageShapes {
  /** Lists messages. */
  list: {
    query: PageQuery & {
      channel?: ChannelType
      subscriberId?: string
      transactionId?: readonly string[]
      contextKeys?: readonly string[]
    }
    result: OpenPage<Message>
  }
  /** Deletes one. */
  delete: { result: Deletion }
  /** Deletes those of a run. */
  deleteByTransaction: { query: { channel?: ChannelType }; result: undefined }
}

/** The course of a run, step by step. */
export interface ExecutionDetailShapes {
  /** Returns the details of a run for one subscriber. */
  list: {
    query: { readonly notificationId: string; readonly subscriberId: string }
    result: readonly ExecutionDetail[]
  }
}

const notifications = {
  list: { method: 'GET', path: '/v1/notifications', paging: 'page' },
  getStatistics: { method: 'GET', path: '/v1/notifications/stats' },
  getGraphStatistics: { method: 'GET', path: '/v1/notifications/graph/stats' },
  get: { method: 'GET', path: '/v1/notifications/{notificationId}' },
} as const

const messages = {
  list: { method: 'GET', path: '/v1/messages', paging: 'page' },
  delete: { method: 'DELETE', path: '/v1/messages/{messageId}' },
  deleteByTransaction: { method: 'DELETE', path: '/v1/messages/transaction/{transactionId}', answer: 'nothing' },
} as const

const executionDetails = {
  list: { method: 'GET', path: '/v1/execution-details' },
} as const

/** Every operation of {@link NotificationShapes}. */
export const notificationOperations: Readonly<typeof notifications> = Object.freeze(notifications)

/** Every operation of {@link MessageShapes}. */
export const messageOperations: Readonly<typeof messages> = Object.freeze(messages)

/** Every operation of {@link ExecutionDetailShapes}. */
export const executionDetailOperations: Readonly<typeof executionDetails> = Object.freeze(executionDetails)
