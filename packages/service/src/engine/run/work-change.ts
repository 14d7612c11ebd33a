import type { Priority } from '../../queue/queue.ts'
import type { Session } from '../../store/store.ts'

/** A change of one run, to be stored in one transaction. */
export interface WorkChange<T> {
  /** The priority of the work that leads to the change. */
  readonly priority: Priority | undefined
  /** Row id of the run. */
  readonly runId: string
  /** Whether the change only affects rows of its run, apart from new messages. */
  readonly isOwn: boolean
  /** Stores the change; may be called again if the transaction is retried. */
  readonly work: (tx: Session) => Promise<T>
}

/** Stores a change in one transaction, which it may share with others; bulk work comes after them. */
export type StoreChange = <T>(change: WorkChange<T>) => Promise<T>

/**
 * Returns whether a step of a type changes rows of its run only, apart from new messages. Digests and throttles look at
 * other runs.
 *
 * @param type - The type of the step.
 */
export function concernsOwnRun(type: string): boolean {
  return type !== 'digest' && type !== 'throttle'
}
