import type { Session } from '../store/store.ts'
import type { QueueItem } from './queue.ts'

/** An item with what its driver knows it by. */
export interface ShelfItem extends QueueItem {
  /** Identifies the item in the driver. */
  readonly itemId: string
  /** How often it was taken, this time included. */
  readonly attempts: number
  /** The process it was taken for. Once another one has taken it over, this one can neither remove it nor put it back. */
  readonly processId: string
}

/** The operations of a driver of the queue; the worker's loop, which is the same for all, is built on them. */
export interface Shelf {
  /** Takes up to so many items for a process. */
  take(max: number, processId: string): Promise<readonly ShelfItem[]>
  /** Removes an item that is done. */
  remove(tx: Session, item: ShelfItem): Promise<void>
  /** Puts an item back, to be taken again after a while. */
  putBack(item: ShelfItem, delayMs: number): Promise<void>
  /** Puts back what processes hold that are not in the table of processes, and returns how many items that were. */
  reclaim(tx: Session): Promise<number>
  /**
   * Puts back what a process holds beside what it knows of: the database may have stored that it takes work, and its
   * answer was lost.
   */
  release(processId: string, known: readonly ShelfItem[]): Promise<void>
  /** Lets work be taken at its time again that was added before the time was set back. */
  realign(tx: Session): Promise<void>
}
