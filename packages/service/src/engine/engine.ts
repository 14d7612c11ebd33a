import { setMaxListeners } from 'node:events'
import { createLanes, type Lanes } from '../queue/lanes.ts'
import type { Queue, QueueWorker, TakenItem } from '../queue/queue.ts'
import type { StoreDriver } from '../store/store.ts'
import { cancelChildren, continueChildren } from './children/handle-children.ts'
import { cancelRecipient, type NamedRecipient } from './control/cancel-recipient.ts'
import { cancelTransaction, continueCancel, type NamedTransaction } from './control/cancel-transaction.ts'
import { createEnvironmentGate } from './control/environment-gate.ts'
import { type RepeatedRun, type RepeatedStep, repeatFromStep, repeatRun } from './control/repeat-run.ts'
import { createRunFeed, type RunFeed } from './control/run-feed.ts'
import { type NamedJob, skipWait } from './control/skip-wait.ts'
import { type EventRequest, emitEvent } from './events/emit-event.ts'
import { type AcceptPorts, acceptTriggers, type TriggerBatch } from './intake/accept-triggers.ts'
import { processTrigger } from './intake/process-trigger.ts'
import type { TriggerResult } from './intake/trigger-request.ts'
import { createTriggerWriter } from './intake/trigger-writer.ts'
import { createWorkflowLookUp } from './intake/workflow-look-up.ts'
import { repeatNext } from './next/repeat-next.ts'
import { runNext } from './next/run-next.ts'
import type { EnginePorts } from './port/engine-ports.ts'
import { startRun } from './spread/cancel-by-event.ts'
import { lookBack, spreadEvent } from './spread/spread-event.ts'
import { createWaitWatch } from './waits/wait-watch.ts'
import { createJobHandler, type JobHandling, type OtherWork } from './work/job-handler.ts'
import { createSharedWork, createStoreChange } from './work/shared-work.ts'

/** Dependencies and options of the engine. */
export interface EngineOptions extends Omit<EnginePorts, 'queue'> {
  /** The work queue. */
  readonly queue: Queue
  /** The maximum number of concurrent bridge calls per workflow. @default 32 */
  readonly callsPerWorkflow?: number
  /** The maximum number of concurrent bridge calls per environment. @default `calls` */
  readonly callsPerEnvironment?: number
  /** The maximum number of concurrent bridge calls. @default 256 */
  readonly calls?: number
  /** Handlers of other kinds of work, which use the same lanes. @default none */
  readonly others?: OtherWork
  /** The delay before work of an overloaded workflow is retried, in milliseconds. @default 10000 */
  readonly requeueDelayMs?: number
  /** How long a bridge must be inactive before it reports that nothing comes next, in milliseconds. @default 1000 */
  readonly quietMs?: number
  /** The maximum number of steps per run if the bridge decides the next step. @default 1000 */
  readonly maxSteps?: number
}

/** Runs workflows. */
export interface Engine {
  /**
   * Accepts triggers: stores the valid ones together with their work.
   *
   * @returns The results in order; `undefined` for an unknown workflow.
   */
  accept(batch: TriggerBatch): Promise<readonly (TriggerResult | undefined)[]>
  /** Emits an event for runs that wait for it, and returns its id. */
  emit(request: EventRequest): Promise<string>
  /** Cancels the unfinished work of a transaction, and returns whether something was canceled. */
  cancel(named: NamedTransaction): Promise<boolean>
  /** Cancels the unfinished work of all runs for a subscriber. */
  cancelRecipient(named: NamedRecipient): Promise<void>
  /** Ends a wait now, and returns whether the step was waiting. */
  skipWait(named: NamedJob): Promise<boolean>
  /** Triggers the workflow of a run again; returns `undefined` if the run or its workflow no longer exists. */
  repeat(named: RepeatedRun): Promise<TriggerResult | undefined>
  /**
   * Triggers the workflow of an ended run again from a step, with the results of the steps before it. Returns the reason
   * if the run cannot start from the step; `undefined` if the run or its workflow no longer exists.
   */
  repeatFromStep(named: RepeatedStep): Promise<TriggerResult | string | undefined>
  /** Returns the transitions of runs as they happen, until the signal aborts. */
  watch: RunFeed['watch']
  /** Ends all due waits, and returns how many have ended. */
  sweep(): Promise<number>
  /** Processes an item from the queue. */
  handle(item: TakenItem): Promise<void>
  /** Starts to process work. */
  start(): void
  /**
   * Takes no more work, and waits for the work in progress.
   *
   * @param graceMs - The maximum wait, in milliseconds. Unfinished bridge calls are then aborted and repeated after the
   *   next start.
   */
  stop(graceMs: number): Promise<void>
}

const defaultCalls = 256
/** The maximum number of items that wait in this process for their lane; each needs little memory. */
const maxWaitingItems = 1024
/**
 * The maximum of concurrent bulk work while there is other work. With more, a trigger of another workflow waits longer;
 * with less, fewer runs share a transaction, so that each costs more, above all on PostgreSQL.
 */
const bulkBesideOthers: Readonly<Record<StoreDriver, number>> = { sqlite: 8, postgres: 16 }
/** How often to check for slow lanes, in milliseconds. */
const shedIntervalMs = 1000

export function createEngine(options: EngineOptions): Engine {
  const { requeueDelayMs = 10_000, others = {}, quietMs = 1000, maxSteps = 1000, ...ports } = options
  const stopping = new AbortController()
  // Every bridge call in progress adds a listener.
  setMaxListeners(0, stopping.signal)
  const lanes = createCallLanes(options)
  const feed = createRunFeed(ports.store, ports.clock)
  const writer = createTriggerWriter(ports.store.driver, ports.queue)
  const acceptPorts = { ...ports, writer, lookUp: createWorkflowLookUp(ports.store) }
  const shared = createSharedWork(ports, lanes.note)
  const waits = createWaitWatch({ ...ports, storeChange: createStoreChange(ports.store) }, feed.notify)
  const workOptions = { signal: stopping.signal, onWait: waits.notice, quietMs, maxSteps }
  const work = { ...shared, ...workOptions, canStart: () => !lanes.isClosed() }
  let worker: QueueWorker | undefined
  let shedTimer: NodeJS.Timeout | undefined

  const handleItem = createItemHandler(ports, acceptPorts, { lanes, requeueDelayMs, work, others })

  async function handle(item: TakenItem): Promise<void> {
    await handleItem(item)
    feed.notify()
  }

  return {
    accept(batch) {
      lanes.note('fresh')
      return acceptTriggers(acceptPorts, batch)
    },
    repeat: (named) => repeatRun(acceptPorts, named),
    repeatFromStep: (named) => repeatFromStep(acceptPorts, named),
    emit: (request) => emitEvent(ports, request),
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
      worker = ports.queue.work(handle, { concurrency: (options.calls ?? defaultCalls) + maxWaitingItems, onError })
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

function createCallLanes({ store, clock, calls = defaultCalls, ...limits }: EngineOptions): Lanes {
  return createLanes({
    perLane: limits.callsPerWorkflow ?? 32,
    perEnvironment: limits.callsPerEnvironment ?? calls,
    total: calls,
    bulkBesideOthers: bulkBesideOthers[store.driver],
    nowMs: clock.now,
  })
}

function createItemHandler(
  ports: EnginePorts,
  acceptPorts: EnginePorts & AcceptPorts,
  handling: JobHandling,
): (item: TakenItem) => Promise<void> {
  const others = {
    ...handling.others,
    next: (item: TakenItem) => runNext(ports, item, handling.work),
    'repeat-next': (item: TakenItem) => repeatNext(ports, item),
    trigger: (item: TakenItem) => processTrigger(ports, item),
    start: (item: TakenItem) => startRun(ports, item),
    event: (item: TakenItem) => spreadEvent(ports, item),
    'look-back': (item: TakenItem) => lookBack(ports, item),
    children: (item: TakenItem) => continueChildren(acceptPorts, item),
    cancel: (item: TakenItem) => continueCancel(ports, item),
    'cancel-children': (item: TakenItem) => cancelChildren(ports, item),
  }
  const handleJob = createJobHandler(ports, { ...handling, others })
  const isDeleted = createEnvironmentGate(ports.store)
  return async (item) => {
    if (await isDeleted(item.lane)) return undefined
    // Further pages of a trigger wait in the lane, so that the work of earlier pages comes first.
    handling.lanes.note(item.priority)
    return item.kind === 'trigger' && item.priority !== 'bulk' ? processTrigger(ports, item) : handleJob(item)
  }
}
