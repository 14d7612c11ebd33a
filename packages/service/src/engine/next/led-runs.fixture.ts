import type { TestContext } from 'vitest'
import type { StoreDriver } from '../../store/store.ts'
import { createTestChannels, type TestChannelOptions } from '../channels.fixture.ts'
import { createTestEngine, type TestEngine, type TestEngineOptions } from '../engine.fixture.ts'
import type { TestStep } from '../engine-rows.fixture.ts'
import { createProgramBridge, type Program, type ProgramBridge } from '../program-bridge.fixture.ts'

/** An engine whose bridge runs programs and decides the next step. */
export interface LedEngine extends TestEngine {
  readonly bridge: ProgramBridge
  /** Stores a program as a workflow with the given listed steps, and returns its identifier. */
  add(program: Program, steps?: readonly TestStep[]): Promise<string>
  /** Triggers a workflow, waits until its run exists, and returns the transaction id. */
  begin(identifier: string, payload?: Record<string, unknown>): Promise<string>
  /** Triggers a program as a new workflow, and waits until the only remaining work is delayed. */
  play(program: Program, payload?: Record<string, unknown>): Promise<LedRun>
  /** Returns the run of a transaction. */
  runOf(transactionId: string): Promise<LedRun>
  cancel(transactionId: string): Promise<boolean>
}

/** The properties of a run that tests check. */
export interface LedRun {
  readonly id: string
  readonly transactionId: string
  readonly status: string
  /** Its steps as `id:status`, in the order in which the bridge named them. */
  readonly steps: string
  /** Its history. */
  readonly lines: readonly string[]
  /** The history entries about the run itself, except its end, with their data. */
  readonly ownLines: readonly { readonly detail: string; readonly raw: string | null }[]
}

/** Options of a test engine that differ from the defaults. */
export interface LedOptions extends Pick<TestEngineOptions, 'engine' | 'events' | 'faults' | 'concurrency'> {
  readonly channels?: TestChannelOptions
}

/** Creates an engine whose bridge runs programs. It is stopped at the end of the test. */
export async function createLedEngine(
  driver: StoreDriver,
  context: Pick<TestContext, 'onTestFinished' | 'skip'>,
  { channels, ...options }: LedOptions = {},
): Promise<LedEngine> {
  const bridge = createProgramBridge()
  const testEngine = await createTestEngine(driver, context, {
    bridge,
    channels: createTestChannels(channels),
    ...options,
  })
  const { db } = testEngine.store
  let number = 0
  const led: LedEngine = {
    ...testEngine,
    bridge,
    async add(program, steps = []) {
      const identifier = `w${number++}`
      bridge.programs.set(identifier, program)
      await testEngine.addLedWorkflow(identifier, steps)
      return identifier
    },
    async begin(identifier, payload = {}) {
      const { transactionId = '' } = (await testEngine.trigger({ name: identifier, to: 'anna', payload })) ?? {}
      const find = () =>
        db.selectFrom('runs').select('id').where('transactionId', '=', transactionId).executeTakeFirst()
      while (!(await find())) await new Promise((resolve) => setTimeout(resolve, 2))
      return transactionId
    },
    async play(program, payload) {
      const transactionId = await led.begin(await led.add(program), payload)
      await testEngine.drain()
      return led.runOf(transactionId)
    },
    async runOf(transactionId) {
      const { id, status } = await db
        .selectFrom('runs')
        .select(['id', 'status'])
        .where('transactionId', '=', transactionId)
        .executeTakeFirstOrThrow()
      const jobs = await db
        .selectFrom('jobs')
        .select(['stepId', 'status'])
        .where('runId', '=', id)
        .orderBy('position')
        .execute()
      const lines = await db
        .selectFrom('executionDetails')
        .select(['detail', 'jobId', 'raw'])
        .where('runId', '=', id)
        .orderBy('id')
        .execute()
      return {
        id,
        transactionId,
        status,
        steps: jobs.map((job) => `${job.stepId}:${job.status}`).join(' '),
        lines: lines.map(({ detail }) => detail),
        ownLines: lines
          .filter(({ jobId, detail }) => jobId === null && detail !== 'Run ended')
          .map(({ detail, raw }) => ({ detail, raw })),
      }
    },
    cancel: (transactionId) =>
      testEngine.engine.cancel({ environmentId: testEngine.target.environmentId, transactionId }),
  }
  return led
}

/** A gate that a test opens. */
export interface Gate {
  /** Resolves once the gate is open. */
  readonly opened: Promise<void>
  readonly open: () => void
}

/** Creates a closed gate. */
export function createGate(): Gate {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
