import type { TakenItem } from '../../queue/queue.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import type { Lanes } from './lanes.ts'
import { type JobWork, runJob } from './run-job.ts'

/** Does a piece of work of another kind than a job. */
export type WorkHandler = (item: TakenItem, signal: AbortSignal) => Promise<void>

/** What does work of other kinds than jobs, by the kind. */
export type OtherWork = Readonly<Record<string, WorkHandler>>

/** How jobs are taken through their steps. */
export interface JobHandling {
  /** Keeps slow workflows from holding up the others. */
  readonly lanes: Lanes
  /** When work of a slow workflow comes back, milliseconds. */
  readonly requeueDelayMs: number
  /** The signal that ends calls of bridges, and the listener of waits. */
  readonly work: JobWork
  /** What does work of other kinds. */
  readonly others: OtherWork
}

/** So far apart work comes back to a slow lane; it costs two writes each time. */
const requeueSpacingMs = 5

/**
 * Creates what takes jobs through their steps, as many at a time as there is room in their lanes.
 *
 * @param ports - What the engine acts through.
 * @param handling - Lanes and signals.
 */
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

  /** A workflow whose bridge is slow must not fill up this process with work that waits; what stops begins nothing more. */
  async function requeueLater(item: TakenItem): Promise<void> {
    const delayMs = lanes.isClosed() ? 0 : nextRequeueDelayMs()
    await ports.store.transaction(async (tx) => {
      await item.complete(tx)
      const { kind, id, lane, priority } = item
      await ports.queue.add(tx, [{ kind, id, lane, ...(priority && { priority }) }], { delayMs })
    })
  }

  return async (item) => {
    const leave = await lanes.enter(item.lane)
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
