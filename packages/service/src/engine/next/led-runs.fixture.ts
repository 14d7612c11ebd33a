import type { TestContext } from 'vitest'
import type { StoreDriver } from '../../store/store.ts'
import { createTestChannels, type TestChannelOptions } from '../channels.fixture.ts'
import { createTestEngine, type TestEngine, type TestEngineOptions } from '../engine.fixture.ts'
import type { TestStep } from '../engine-rows.fixture.ts'
import { createProgramBridge, type Program, type ProgramBridge } from '../program-bridge.fixture.ts'

/** An engine whose bridge plays programs and says what comes next. */
export interface LedEngine extends TestEngine {
  /** The bridge. */
  readonly bridge: ProgramBridge
  /** Stores a workflow that is a program, with the steps that its list has, and returns its identifier. */
  add(program: Program, steps?: readonly TestStep[]): Promise<string>
  /** Triggers a workflow, waits until its run is there, and returns the transaction. */
  begin(identifier: string, payload?: Record<string, unknown>): Promise<string>
  /** Triggers a program as a new workflow, and waits until no work is left but that which waits for its time. */
  play(program: Program, payload?: Record<string, unknown>): Promise<LedRun>
  /** Returns the run of a transaction. */
  runOf(transactionId: string): Promise<LedRun>
  /** Cancels a transaction. */
  cancel(transactionId: string): Promise<boolean>
}

/** A run as a test looks at it. */
export interface LedRun {
  readonly id: string
  readonly transactionId: string
  readonly status: string
  /** Its steps as `id:status`, in the order in which they were named. */
  readonly steps: string
  /** The lines of its history. */
  readonly lines: readonly string[]
  /** The lines about the run itself but for its end, with their data. */
  readonly ownLines: readonly { readonly detail: string; readonly raw: string | null }[]
}

/** How the engine of a test differs from the defaults. */
export interface LedOptions extends Pick<TestEngineOptions, 'engine' | 'faults' | 'concurrency'> {
  /** The channels. */
  readonly channels?: TestChannelOptions
}

/** Creates an engine whose bridge plays programs; it ends with the test. */
export async function createLedEngine(
  driver: StoreDriver,
  context: Pick<TestContext, 'onTestFinished' | 'skip'>,
  { channels, ...options }: LedOptions = {},
): Promise<LedEngine> {
  const bridge = createProgramBridge()
  const made = await createTestEngine(driver, context, { bridge, channels: createTestChannels(channels), ...options })
  const { db } = made.store
  let number = 0
  const led: LedEngine = {
    ...made,
    bridge,
    async add(program, steps = []) {
      const identifier = `w${number++}`
      bridge.programs.set(identifier, program)
      await made.addLedWorkflow(identifier, steps)
      return identifier
    },
    async begin(identifier, payload = {}) {
      const { transactionId = '' } = (await made.trigger({ name: identifier, to: 'anna', payload })) ?? {}
      const find = () =>
        db.selectFrom('runs').select('id').where('transactionId', '=', transactionId).executeTakeFirst()
      while (!(await find())) await new Promise((resolve) => setTimeout(resolve, 2))
      return transactionId
    },
    async play(program, payload) {
      const transactionId = await led.begin(await led.add(program), payload)
      await made.drain()
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
    cancel: (transactionId) => made.engine.cancel({ environmentId: made.target.environmentId, transactionId }),
  }
  return led
}

/** A gate that a test opens. */
export interface Gate {
  /** Fulfills once it is open. */
  readonly opened: Promise<void>
  /** Opens it. */
  readonly open: () => void
}

/** Creates a gate that is closed. */
export function createGate(): Gate {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
