import type { TestContext } from 'vitest'
import type { BridgePort } from '../bridge/bridge-call.ts'
import type { BridgeTarget } from '../bridge/bridge-target.ts'
import { createManualClock, type ManualClock } from '../clock/manual-clock.ts'
import { createQueue } from '../queue/create-queue.ts'
import type { Queue } from '../queue/queue.ts'
import type { Store, StoreDriver } from '../store/store.ts'
import { createStore } from '../store/stores.fixture.ts'
import { createTestChannels } from './channels.fixture.ts'
import { createEngine, type Engine, type EngineOptions } from './engine.ts'
import { addEnvironment, addWorkflow, type TestStep } from './engine-rows.fixture.ts'
import type { TriggerRequest, TriggerResult } from './intake/trigger-request.ts'
import type { ChannelPort } from './port/channel-port.ts'

/** How a test's engine is made. */
export interface TestEngineOptions {
  /** The way to bridges. */
  readonly bridge: BridgePort
  /** The way to messages. @default one row for each */
  readonly channels?: ChannelPort
  /** The clock's first time, milliseconds since 1970. */
  readonly nowMs?: number
  /** How the engine differs from its defaults. */
  readonly engine?: Pick<EngineOptions, 'calls' | 'callsPerWorkflow' | 'requeueDelayMs' | 'quietMs' | 'maxSteps'>
  /** How many pieces of work are taken at a time. @default 16 */
  readonly concurrency?: number
  /** The clock. @default one that starts at `nowMs` */
  readonly clock?: ManualClock
  /** Takes the faults the engine reports. @default they fail the test */
  readonly faults?: unknown[]
  /** Where the bridge is, for tests with a real one. */
  readonly bridgeUrl?: string
}

/** An engine on an empty database, whose clock the test moves. */
export interface TestEngine {
  /** The engine. */
  readonly engine: Engine
  /** The database. */
  readonly store: Store
  /** The queue. */
  readonly queue: Queue
  /** The clock. */
  readonly clock: ManualClock
  /** The target of bridge calls. */
  readonly target: BridgeTarget
  /** Stores a workflow and returns its row id. */
  addWorkflow(identifier: string, steps: readonly TestStep[]): Promise<string>
  /** Stores a workflow whose bridge says what comes next, and returns its row id. */
  addLedWorkflow(identifier: string, steps?: readonly TestStep[]): Promise<string>
  /** Triggers a workflow. */
  trigger(request: TriggerRequest): Promise<TriggerResult | undefined>
  /** Waits until no work is left but that which waits for its time. */
  drain(): Promise<void>
  /** Moves the clock from wait to wait, up to a time, and lets everything end that is due. */
  advanceTo(atMs: number): Promise<void>
}

/** Creates an engine for a test; it ends with the test. */
export async function createTestEngine(
  driver: StoreDriver,
  context: Pick<TestContext, 'onTestFinished' | 'skip'>,
  options: TestEngineOptions,
): Promise<TestEngine> {
  const store = await createStore(driver, context)
  const queue = createQueue(store)
  const clock = options.clock ?? createManualClock(options.nowMs ?? Date.parse('2026-01-01T00:00:00Z'))
  const target = await addEnvironment(store, options.bridgeUrl ?? null)
  const errors: unknown[] = options.faults ?? []
  const logger = { warn: () => undefined, error: (details: object) => errors.push(details) }
  const channels = options.channels ?? createTestChannels()
  const engine = createEngine({
    store,
    queue,
    clock,
    bridge: options.bridge,
    channels,
    loadTarget: async () => target,
    logger,
    quietMs: 5,
    ...options.engine,
  })
  const worker = queue.work(engine.handle, {
    concurrency: options.concurrency ?? 16,
    onError: (error) => errors.push(error),
  })
  context.onTestFinished(async () => {
    await worker.stop(1000)
    await queue.close()
    if (options.faults === undefined && errors.length > 0)
      throw new AggregateError(errors, 'the engine reported errors')
  })
  const drain = async (): Promise<void> => {
    while ((await queue.size()) > 0) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return {
    engine,
    store,
    queue,
    clock,
    target,
    drain,
    addWorkflow: (identifier, steps) => addWorkflow(store, target, { identifier, steps }),
    addLedWorkflow: (identifier, steps = []) => addWorkflow(store, target, { identifier, steps, next: 1 }),
    async trigger(request) {
      const [result] = await engine.accept({ environmentId: target.environmentId, kind: 'single', requests: [request] })
      return result
    },
    async advanceTo(atMs) {
      for (;;) {
        await drain()
        const row = await store.db
          .selectFrom('jobs')
          .select(({ fn }) => fn.min('dueAt').as('dueAt'))
          .where('status', '=', 'delayed')
          .executeTakeFirst()
        const next = Math.min(row?.dueAt ?? atMs, atMs)
        clock.advance(Math.max(0, next - clock.now()))
        const ended = await engine.sweep()
        await drain()
        if (ended === 0 && clock.now() >= atMs) return
      }
    },
  }
}
