import { setMaxListeners } from 'node:events'
import type { Queue, QueueWorker, TakenItem } from '../queue/queue.ts'
import { cancelRecipient, type NamedRecipient } from './control/cancel-recipient.ts'
import { cancelTransaction, type NamedTransaction } from './control/cancel-transaction.ts'
import { type NamedRun, repeatRun } from './control/repeat-run.ts'
import { createRunFeed, type RunFeed } from './control/run-feed.ts'
import { type NamedJob, skipWait } from './control/skip-wait.ts'
import { acceptTriggers, type TriggerBatch } from './intake/accept-triggers.ts'
import { processTrigger } from './intake/process-trigger.ts'
import type { TriggerResult } from './intake/trigger-request.ts'
import { createTriggerWriter } from './intake/trigger-writer.ts'
import { createWorkflowLookUp } from './intake/workflow-look-up.ts'
import { runNext } from './next/run-next.ts'
import type { EnginePorts } from './port/engine-ports.ts'
import { createWaitWatch } from './waits/wait-watch.ts'
import { createJobHandler, type JobHandling, type OtherWork } from './work/job-handler.ts'
import { createLanes } from './work/lanes.ts'
import { createSharedWork } from './work/shared-work.ts'

/** Everything the engine is made of. */
export interface EngineOptions extends Omit<EnginePorts, 'queue'> {
  /** Where work waits for its turn. */
  readonly queue: Queue
  /** How many bridges are called at a time for one workflow. @default 32 */
  readonly callsPerWorkflow?: number
  /** How many bridges are called at a time for one environment. @default `calls` */
  readonly callsPerEnvironment?: number
  /** How many bridges are called at a time. @default 256 */
  readonly calls?: number
  /** What does work of other kinds than those of workflows, in the same lanes. @default nothing */
  readonly others?: OtherWork
  /** When work of a workflow comes back whose bridge is too slow for all of it, milliseconds. @default 10000 */
  readonly requeueDelayMs?: number
  /**
   * For how long a bridge that says what comes next sees nothing happen before it says that nothing does, milliseconds.
   * @default 1000
   */
  readonly quietMs?: number
  /** How many steps a run may have that its bridge leads. @default 1000 */
  readonly maxSteps?: number
}

/** Runs workflows. */
export interface Engine {
  /**
   * Accepts triggers: stores those that can be run, with the work they mean.
   *
   * @returns What became of each, in order; `undefined` for one that names an unknown workflow.
   */
  accept(batch: TriggerBatch): Promise<readonly (TriggerResult | undefined)[]>
  /** Cancels what a transaction has not done yet, and returns whether there was something. */
  cancel(named: NamedTransaction): Promise<boolean>
  /** Cancels what the runs for a subscriber have not done yet. */
  cancelRecipient(named: NamedRecipient): Promise<void>
  /** Lets a wait end now, and returns whether the step did wait. */
  skipWait(named: NamedJob): Promise<boolean>
  /** Triggers the workflow of a run once more; returns `undefined` when the run or its workflow is gone. */
  repeat(named: NamedRun): Promise<TriggerResult | undefined>
  /** Returns the transitions of runs as they happen, until the signal aborts. */
  watch: RunFeed['watch']
  /** Ends every wait whose time has come, and returns how many there were. */
  sweep(): Promise<number>
  /** Does a piece of work that was taken from the queue. */
  handle(item: TakenItem): Promise<void>
  /** Begins to work. */
  start(): void
  /**
   * Takes no more work, and waits for what was begun.
   *
   * @param graceMs - How long, milliseconds; calls of bridges that still go on are given up then, and done again at the
   *   next start.
   */
  stop(graceMs: number): Promise<void>
}

/** Work that waits in this process for a place in its lane takes little; so much may. */
const maxWaitingItems = 1024
/** How often it is looked for slow lanes, milliseconds. */
const shedIntervalMs = 1000

/**
 * Creates the engine that runs workflows.
 *
 * @param options - What it acts through, and how much it does at a time.
 */
export function createEngine(options: EngineOptions): Engine {
  const { callsPerWorkflow = 32, calls = 256, requeueDelayMs = 10_000, others = {}, ...rest } = options
  const { quietMs = 1000, maxSteps = 1000, callsPerEnvironment = calls, ...ports } = rest
  const stopping = new AbortController()
  // Every call of a bridge that goes on listens.
  setMaxListeners(0, stopping.signal)
  const limits = { perLane: callsPerWorkflow, perEnvironment: callsPerEnvironment, total: calls }
  const lanes = createLanes({ ...limits, nowMs: ports.clock.now })
  const feed = createRunFeed(ports.store, ports.clock)
  const writer = createTriggerWriter(ports.store.driver, ports.queue)
  const acceptPorts = { ...ports, writer, lookUp: createWorkflowLookUp(ports.store) }
  const waits = createWaitWatch(ports, feed.notify)
  const workOptions = { signal: stopping.signal, onWait: waits.notice, quietMs, maxSteps }
  const work = { ...createSharedWork(ports), ...workOptions, canStart: () => !lanes.isClosed() }
  let worker: QueueWorker | undefined
  let shedTimer: NodeJS.Timeout | undefined

  const handleItem = createItemHandler(ports, { lanes, requeueDelayMs, work, others })

  async function handle(item: TakenItem): Promise<void> {
    await handleItem(item)
    feed.notify()
  }

  return {
    accept: (batch) => acceptTriggers(acceptPorts, batch),
    repeat: (named) => repeatRun(acceptPorts, named),
    watch: feed.watch,
    sweep: waits.sweep,
    handle,
    cancel: (named) => cancelTransaction(ports, named).finally(feed.notify),
    cancelRecipient: (named) => cancelRecipient(ports, named).finally(feed.notify),
    async skipWait(named) {
      const wasWaiting = await skipWait(ports, named)
      if (wasWaiting) waits.notice(ports.clock.now())
      return wasWaiting
    },
    start() {
      const onError: NonNullable<Parameters<Queue['work']>[1]['onError']> = (error, item) => {
        if (!stopping.signal.aborted) ports.logger.error({ err: error, ...item }, 'work failed and is retried')
      }
      worker = ports.queue.work(handle, { concurrency: calls + maxWaitingItems, onError })
      waits.start()
      shedTimer = setInterval(lanes.shedLoad, shedIntervalMs).unref()
    },
    async stop(graceMs) {
      clearInterval(shedTimer)
      lanes.close()
      const stopped = Promise.all([worker?.stop(graceMs), waits.stop()])
      const timer = setTimeout(() => stopping.abort(new Error('The service is stopping.')), graceMs)
      await stopped
      clearTimeout(timer)
      stopping.abort(new Error('The service is stopping.'))
    },
  }
}

function createItemHandler(ports: EnginePorts, handling: JobHandling): (item: TakenItem) => Promise<void> {
  const others = {
    ...handling.others,
    next: (item: TakenItem) => runNext(ports, item, handling.work),
    trigger: (item: TakenItem) => processTrigger(ports, item),
  }
  const handleJob = createJobHandler(ports, { ...handling, others })
  // A page of a trigger waits in the lane behind the work of the page before.
  return (item) => (item.kind === 'trigger' && item.priority !== 'bulk' ? processTrigger(ports, item) : handleJob(item))
}
