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
import { type EventPort, noEvents } from './port/event-port.ts'

/** Options of a test engine. */
export interface TestEngineOptions {
  /** Calls of bridges. */
  readonly bridge: BridgePort
  /** Receives events. @default they are ignored */
  readonly events?: EventPort
  /** The channels. @default one row per message */
  readonly channels?: ChannelPort
  /** The initial time, in milliseconds since 1970. */
  readonly nowMs?: number
  /** Engine options that differ from the defaults. */
  readonly engine?: Pick<EngineOptions, 'calls' | 'callsPerWorkflow' | 'requeueDelayMs' | 'quietMs' | 'maxSteps'>
  /** The maximum number of items that are taken at a time. @default 16 */
  readonly concurrency?: number
  /** The clock. @default a manual clock that starts at `nowMs` */
  readonly clock?: ManualClock
  /** Receives errors that the engine reports. @default they fail the test */
  readonly faults?: unknown[]
  /** The URL of the bridge, for tests with a real one. */
  readonly bridgeUrl?: string
}

/** An engine with an empty database and a manual clock. */
export interface TestEngine {
  readonly engine: Engine
  readonly store: Store
  readonly queue: Queue
  readonly clock: ManualClock
  readonly target: BridgeTarget
  addWorkflow(identifier: string, steps: readonly TestStep[]): Promise<string>
  /** Stores a workflow whose bridge decides the next step, and returns its row id. */
  addLedWorkflow(identifier: string, steps?: readonly TestStep[]): Promise<string>
  trigger(request: TriggerRequest): Promise<TriggerResult | undefined>
  /** Waits until the only remaining work is delayed. */
  drain(): Promise<void>
  /** Advances the clock from one wait to the next, up to a time, and completes all due work. */
  advanceTo(atMs: number): Promise<void>
}

/** Creates an engine that is stopped at the end of the test. */
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
    events: options.events ?? noEvents,
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
