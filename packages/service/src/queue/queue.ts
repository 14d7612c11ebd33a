import type { Tables } from '../store/schema/tables.ts'
import type { Session } from '../store/store.ts'
import type { LaneName } from './lane-name.ts'

/**
 * Priorities, highest first: runs in progress, new work, and all work of broadcasts and topics. Within a priority, the oldest item is
 * taken first. One of nine items is bulk work if there is any, so that bulk work never stops.
 */
export const priorities = ['ongoing', 'fresh', 'bulk'] as const

export type Priority = (typeof priorities)[number]

/** An item of work. */
export interface QueueItem {
  readonly kind: string
  /** The subject of the work, such as a row id. */
  readonly id: string
  /** Groups work that is delayed together, such as the work of one workflow in one environment. */
  readonly lane: LaneName
  /** The priority. @default 'fresh' */
  readonly priority?: Priority
}

/** An item that was taken by a worker. */
export interface TakenItem extends QueueItem {
  /** How often it was taken, including this time. */
  readonly attempts: number
  /**
   * Marks it as done, in the transaction that stores its result. If this is not called, the item is done when its
   * handler resolves.
   */
  complete(tx: Session): Promise<void>
}

/** Processes an item. If it rejects, the item is retried later. */
export type QueueHandler = (item: TakenItem) => Promise<void>

/** Options of a worker. */
export interface WorkOptions {
  /** The maximum number of concurrent items. */
  readonly concurrency: number
  /** Receives rejections of handlers, and failures to reach the database. */
  readonly onError?: (error: unknown, item?: QueueItem) => void
}

/** The state of a queue at one moment. */
export interface QueueState {
  /** The number of items that are due, that wait for their time, and that are in progress. */
  readonly items: Readonly<Record<'due' | 'waiting' | 'active', number>>
  /** How long the oldest due item has been waiting, in milliseconds; 0 if none is due. */
  readonly oldestDueMs: number
}

/** A running worker. */
export interface QueueWorker {
  /** The number of items in progress. */
  active(): number
  /**
   * Takes no more items, and waits for those in progress.
   *
   * @param graceMs - The maximum wait; unfinished items are then requeued.
   */
  stop(graceMs: number): Promise<void>
}

/**
 * The work queue that all processes on one database share. Every item is processed at least once: it is retried if its
 * handler rejects or its process dies. Delays use the machine's clock.
 */
export interface Queue {
  /**
   * Adds work in the transaction of the rows it belongs to. Work without delay starts once the transaction is
   * committed, preferably in this process.
   *
   * @param options - `delayMs`: the minimum delay, in milliseconds.
   */
  add(tx: Session, items: readonly QueueItem[], options?: { readonly delayMs?: number }): Promise<void>
  /**
   * Stores rows of one table together with their work, atomically. On PostgreSQL this is one statement.
   *
   * @param rows - The rows. All must have the same columns in the same order.
   * @param items - The work.
   */
  addWith<TTable extends keyof Tables & string>(
    table: TTable,
    rows: readonly Tables[TTable][],
    items: readonly QueueItem[],
  ): Promise<void>
  /** Starts to process items by priority, oldest first. */
  work(handler: QueueHandler, options: WorkOptions): QueueWorker
  /** Returns the number of items, including those in progress. */
  size(): Promise<number>
  /** Returns the state of the queue for monitoring. Counts all items, so it is slow for a long queue. */
  state(): Promise<QueueState>
  /** Ends the background work of the queue. Stop its workers first. */
  close(): Promise<void>
}
