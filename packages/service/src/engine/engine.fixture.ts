import type { StepType } from '@trestle/protocol'
import type { TestContext } from 'vitest'
import type { BridgeOutcome, BridgePort, BridgeStepCall } from '../bridge/bridge-call.ts'
import type { BridgeTarget } from '../bridge/bridge-target.ts'
import { createManualClock, type ManualClock } from '../clock/manual-clock.ts'
import { createQueue } from '../queue/create-queue.ts'
import type { Queue } from '../queue/queue.ts'
import { createId } from '../store/create-id.ts'
import type { Store, StoreDriver } from '../store/store.ts'
import { createStore } from '../store/stores.fixture.ts'
import { createTestChannels } from './channels.fixture.ts'
import { createEngine, type Engine, type EngineOptions } from './engine.ts'
import type { TriggerRequest, TriggerResult } from './intake/trigger-request.ts'
import type { ChannelPort } from './port/channel-port.ts'

/** A step of a test's workflow. */
export interface TestStep {
  /** The step's id. */
  readonly stepId: string
  /** The kind of step. */
  readonly type: StepType
  /** Steps of one group run side by side. */
  readonly parallelGroup?: number
}

/** How a test's engine is made. */
export interface TestEngineOptions {
  /** The way to bridges. */
  readonly bridge: BridgePort
  /** The way to messages. @default one row for each */
  readonly channels?: ChannelPort
  /** The clock's first time, milliseconds since 1970. */
  readonly nowMs?: number
  /** How the engine differs from its defaults. */
  readonly engine?: Pick<EngineOptions, 'calls' | 'callsPerWorkflow' | 'comeBackMs'>
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
  /** What it takes to call the bridge. */
  readonly target: BridgeTarget
  /** Stores a workflow and returns its row id. */
  addWorkflow(identifier: string, steps: readonly TestStep[]): Promise<string>
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
  await queue.open()
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

async function addEnvironment(store: Store, bridgeUrl: string | null): Promise<BridgeTarget> {
  const environmentId = createId(0)
  await store.db
    .insertInto('environments')
    .values({
      id: environmentId,
      name: 'Development',
      parentId: null,
      applicationIdentifier: environmentId,
      color: null,
      bridgeUrl,
      syncedAt: null,
      extra: '{}',
      createdAt: 0,
      updatedAt: 0,
    })
    .execute()
  const name = 'Development'
  return { environmentId, name, type: 'dev', secretKey: 'secret', bridgeUrl, variables: {}, secrets: [] }
}

async function addWorkflow(
  store: Store,
  { environmentId }: BridgeTarget,
  { identifier, steps }: { readonly identifier: string; readonly steps: readonly TestStep[] },
): Promise<string> {
  const id = createId(0)
  const stored = steps.map(({ stepId, type, parallelGroup }, index) => {
    const rest = { controlSchema: {}, conditional: false, extra: {} }
    return { id: `${id}${index}`, stepId, name: stepId, type, parallelGroup: parallelGroup ?? null, ...rest }
  })
  await store.db
    .insertInto('workflows')
    .values({
      id,
      environmentId,
      identifier,
      name: identifier,
      description: '',
      origin: 'external',
      active: 1,
      draft: 0,
      critical: 0,
      severity: 'none',
      tags: '[]',
      groupId: null,
      payloadSchema: null,
      validatePayload: 0,
      preferences: '{}',
      userPreferences: null,
      steps: JSON.stringify(stored),
      manifest: null,
      extra: '{}',
      lastTriggeredAt: null,
      createdAt: 0,
      updatedAt: 0,
    })
    .execute()
  return id
}

/** Creates a way to bridges that asks a function instead. */
export function createFakeBridge(
  answer: (call: BridgeStepCall) => Partial<BridgeOutcome> | Promise<Partial<BridgeOutcome>>,
): BridgePort & { readonly calls: BridgeStepCall[] } {
  const calls: BridgeStepCall[] = []
  return {
    calls,
    async callStep(call) {
      calls.push(call)
      const outcome = await answer(call)
      const record = { url: 'fake', request: {}, reply: {}, status: 200, durationMs: 0, attempts: [] }
      return { record, ...outcome }
    },
  }
}

/** Returns the outcome of a step that ran. */
export function replied(outputs: Record<string, unknown>, skip = false): Partial<BridgeOutcome> {
  const metadata = { status: 'success', error: false, duration: 0 } as const
  return { reply: { outputs, providers: {}, options: { skip }, metadata } }
}

/** Returns the outcome of a step that failed. */
export function refused(code: string, data: unknown = null): Partial<BridgeOutcome> {
  return { failure: { code, status: 400, message: `refused with ${code}`, data } }
}

/** One engine for all tests of a `describe`; call `end` after the last of them. */
export interface SharedEngine {
  /** Stands in for the context of a single test. */
  readonly context: Pick<TestContext, 'onTestFinished' | 'skip'>
  /** Why the tests are skipped; empty when they are not. */
  readonly why: () => string
  /** Ends what was made. */
  end(): Promise<void>
}

/** Creates the context of an engine that several tests share. */
export function shareEngine(): SharedEngine {
  const ends: (() => unknown)[] = []
  let why = ''
  const skip = (note?: unknown): never => {
    why = String(note ?? 'skipped')
    throw new Error(why)
  }
  const context = { onTestFinished: (end: () => unknown) => ends.unshift(end), skip }
  return {
    context: context as unknown as SharedEngine['context'],
    why: () => why,
    async end() {
      for (const end of ends) await end()
    },
  }
}
