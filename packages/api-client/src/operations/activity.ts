import type { NumberedPage, PageQuery } from '../resources/page.ts'
import type { Deletion } from '../resources/resource.ts'
import type { JsonObject } from './operation.ts'

/** Runs of workflows. */
export interface NotificationShapes {
  /** Lists runs, newest first. `after` and `before` are dates here. */
  list: {
    query: PageQuery & {
      channels?: readonly string[]
      templates?: readonly string[]
      emails?: readonly string[]
      subscriberIds?: readonly string[]
      severity?: readonly string[]
      contextKeys?: readonly string[]
      search?: string
      transactionId?: string
      topicKey?: string
      subscriptionId?: string
      after?: string
      before?: string
    }
    result: NumberedPage<JsonObject>
  }
  /** Counts what was sent in the last week and month. */
  getStatistics: { result: { readonly weeklySent: number; readonly monthlySent: number } }
  /** Counts what was sent day by day. */
  getGraphStatistics: { query: { days?: number }; result: readonly JsonObject[] }
  /** Gives one run with its jobs. */
  get: { result: JsonObject }
}

/** Messages of runs. */
export interface MessageShapes {
  /** Lists messages. */
  list: {
    query: PageQuery & {
      channel?: string
      subscriberId?: string
      transactionId?: readonly string[]
      contextKeys?: readonly string[]
    }
    result: NumberedPage<JsonObject>
  }
  /** Deletes one. */
  delete: { result: Deletion }
  /** Deletes those of a run. */
  deleteByTransaction: { query: { channel?: string }; result: undefined }
}

/** What happened in a run, step by step. */
export interface ExecutionDetailShapes {
  /** Gives the details of a run for one subscriber. */
  list: { query: { readonly notificationId: string; readonly subscriberId: string }; result: readonly JsonObject[] }
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
  deleteByTransaction: { method: 'DELETE', path: '/v1/messages/transaction/{transactionId}' },
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
