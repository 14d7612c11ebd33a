import type { Tables } from '../store/schema/tables.ts'
import type { Session } from '../store/store.ts'

/**
 * Which work is taken first, in this order: that of runs in progress, what begins something new, and pages of what is done in
 * bulk. Within each the oldest is taken first.
 */
export const priorities = ['ongoing', 'fresh', 'bulk'] as const

/** The name of a priority. */
export type Priority = (typeof priorities)[number]

/** A piece of work. */
export interface QueueItem {
  /** The kind of work. */
  readonly kind: string
  /** The subject of the work, such as the identifier of a row. */
  readonly id: string
  /** Names work that is held up together, such as that of one workflow of one environment. */
  readonly lane: string
  /** What it goes before, and what goes before it. @default 'fresh' */
  readonly priority?: Priority
}

/** A piece of work that was taken to be done. */
export interface TakenItem extends QueueItem {
  /** How often it was taken, this time included. */
  readonly attempts: number
  /**
   * Marks it as done, in the transaction that stores what was done. Where it is not called, the item is done when its
   * handler fulfills.
   */
  complete(tx: Session): Promise<void>
}

/** Does a piece of work; the item comes back later when it rejects. */
export type QueueHandler = (item: TakenItem) => Promise<void>

/** How work is taken. */
export interface WorkOptions {
  /** How many items are worked on at a time. */
  readonly concurrency: number
  /** Receives what handlers reject with, and failures to reach the database. */
  readonly onError?: (error: unknown, item?: QueueItem) => void
}

/** What waits in a queue, at one moment. */
export interface QueueState {
  /** How many items there are: due, waiting for their time, or taken by a process. */
  readonly items: Readonly<Record<'due' | 'waiting' | 'active', number>>
  /** How long the oldest item has been due without being taken, milliseconds; 0 if none is. */
  readonly oldestDueMs: number
}

/** Running work. */
export interface QueueWorker {
  /** How many items are being worked on. */
  active(): number
  /**
   * Takes no more work and waits for what was begun.
   *
   * @param graceMs - How long; what is not done then goes back to the queue.
   */
  stop(graceMs: number): Promise<void>
}

/**
 * The work to be done, shared by all processes on one database. Every item is handed out at least once: again when its
 * handler rejected, and when its process died. Delays are those of the machine's clock.
 */
export interface Queue {
  /**
   * Adds work, stored in the transaction of the rows it is about. Work without delay is begun as soon as that is
   * committed, by this process if it works at all.
   *
   * @param options - `delayMs`: not before so many milliseconds.
   */
  add(tx: Session, items: readonly QueueItem[], options?: { readonly delayMs?: number }): Promise<void>
  /**
   * Stores rows of one table with the work they mean: all of it, or nothing. On PostgreSQL that is one statement.
   *
   * @param rows - The rows; all have the same columns, in the same order.
   * @param items - The work.
   */
  addWith<TTable extends keyof Tables & string>(
    table: TTable,
    rows: readonly Tables[TTable][],
    items: readonly QueueItem[],
  ): Promise<void>
  /** Begins to take work: by priority, the oldest first. */
  work(handler: QueueHandler, options: WorkOptions): QueueWorker
  /** Returns how many items are there, those being worked on included. */
  size(): Promise<number>
  /** Returns what waits, for people who watch it: it counts the whole queue. */
  state(): Promise<QueueState>
  /** Ends what the queue does in the background; stop its workers first. */
  close(): Promise<void>
}
