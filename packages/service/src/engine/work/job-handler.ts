import type { Lanes } from '../../queue/lanes.ts'
import type { TakenItem } from '../../queue/queue.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { type JobWork, runJob } from './run-job.ts'

/** Processes work other than jobs. */
export type WorkHandler = (item: TakenItem, signal: AbortSignal) => Promise<void>

/** Handlers of other kinds of work, by kind. */
export type OtherWork = Readonly<Record<string, WorkHandler>>

/** Dependencies for processing jobs. */
export interface JobHandling {
  /** Prevents slow workflows from delaying the others. */
  readonly lanes: Lanes
  /** The delay before work of a slow workflow is retried, in milliseconds. */
  readonly requeueDelayMs: number
  readonly work: JobWork
  /** Handlers of other kinds of work. */
  readonly others: OtherWork
}

/** The minimum interval between retries of slow lanes, because each costs two writes. */
const requeueSpacingMs = 5

/** Creates the handler that runs jobs within the limits of their lanes. */
export function createJobHandler(
  ports: EnginePorts,
  { lanes, requeueDelayMs, work, others }: JobHandling,
): (item: TakenItem) => Promise<void> {
  let lastRequeueMs = 0

  function nextRequeueDelayMs(): number {
    const nowMs = performance.now()
    lastRequeueMs = Math.max(nowMs + requeueDelayMs, lastRequeueMs + requeueSpacingMs)
    return lastRequeueMs - nowMs
  }

  /**
   * Prevents a workflow with a slow bridge from filling this process with waiting work. A stopping process requeues all
   * new work.
   */
  async function requeueLater(item: TakenItem): Promise<void> {
    const delayMs = lanes.isClosed() ? 0 : nextRequeueDelayMs()
    await ports.store.transaction(async (tx) => {
      await item.complete(tx)
      const { kind, id, lane, priority } = item
      await ports.queue.add(tx, [{ kind, id, lane, ...(priority && { priority }) }], { delayMs })
    })
  }

  return async (item) => {
    const leave = await lanes.enter(item.lane, item.priority)
    if (!leave) return requeueLater(item)
    try {
      work.signal.throwIfAborted()
      const other = Object.hasOwn(others, item.kind) ? others[item.kind] : undefined
      await (other ? other(item, work.signal) : runJob(ports, item, work))
    } finally {
      leave()
    }
  }
}
