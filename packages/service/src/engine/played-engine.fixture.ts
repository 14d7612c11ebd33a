import type { TestContext } from 'vitest'
import type { BridgeOutcome, BridgeStepCall } from '../bridge/bridge-call.ts'
import type { StoreDriver } from '../store/store.ts'
import { createTestChannels } from './channels.fixture.ts'
import { createTestEngine, type TestEngine } from './engine.fixture.ts'
import type { TestStep } from './engine-rows.fixture.ts'
import { createFakeBridge, replied } from './fake-bridge.fixture.ts'

type Answer = Partial<BridgeOutcome>

/** An engine with one workflow. Tests choose transaction ids, which are also the payload. */
export interface PlayedEngine extends TestEngine {
  /** The calls of the bridge, as `transaction.step`. */
  readonly asked: readonly string[]
  /** Errors that the engine reported. */
  readonly faults: unknown[]
  /** The event names of each created message. */
  messages(): Promise<readonly (readonly string[])[]>
  /** Triggers the workflow for one recipient, without waiting. */
  begin(name: string): Promise<void>
  /** Triggers the workflow, and waits until no work is left. */
  play(name: string): Promise<void>
  /** Delays the bridge's reply to a step of a transaction; resolves once the bridge is called. */
  hold(name: string, stepId: string): { readonly asked: Promise<void>; readonly answer: () => void }
  cancel(name: string): Promise<boolean>
  /** Returns the row id of a transaction's run. */
  runIdOf(name: string): Promise<string>
  /** Returns the statuses of a transaction's run and of its steps. */
  statesOf(name: string): Promise<string>
}

/** Options of a scripted engine. */
export interface PlayOptions {
  readonly steps: readonly TestStep[]
  /** The bridge's replies. @default waits of an hour, and messages that contain the names of their events */
  readonly answer?: (call: BridgeStepCall) => Answer | Promise<Answer> | undefined
}

/** Creates an engine with one workflow. It is stopped at the end of the test. */
export async function playEngine(
  driver: StoreDriver,
  context: Pick<TestContext, 'onTestFinished' | 'skip'>,
  { steps, answer }: PlayOptions,
): Promise<PlayedEngine> {
  const asked: string[] = []
  const faults: unknown[] = []
  const gates = new Map<string, { readonly reached: () => void; readonly open: Promise<void> }>()
  const types = new Map(steps.map(({ stepId, type }) => [stepId, type]))
  const bridge = createFakeBridge(async (call) => {
    const name = `${call.event.payload?.['name']}.${call.stepId}`
    asked.push(name)
    const gate = gates.get(name)
    gate?.reached()
    await gate?.open
    return (await answer?.(call)) ?? plain(call, types.get(call.stepId))
  })
  const testEngine = await createTestEngine(driver, context, { bridge, channels: createTestChannels(), faults })
  await testEngine.addWorkflow('w', steps)
  const { environmentId } = testEngine.target
  const { db } = testEngine.store
  const runOf = (name: string) =>
    db.selectFrom('runs').select(['id', 'status']).where('transactionId', '=', name).executeTakeFirstOrThrow()
  const begin = async (name: string) => {
    await testEngine.trigger({ name: 'w', to: 'anna', payload: { name }, transactionId: name })
  }
  return {
    ...testEngine,
    asked,
    faults,
    begin,
    async play(name) {
      await begin(name)
      await testEngine.drain()
    },
    hold(name, stepId) {
      const asked = createGate()
      const answered = createGate()
      gates.set(`${name}.${stepId}`, { reached: asked.open, open: answered.opened })
      return { asked: asked.opened, answer: answered.open }
    },
    cancel: (name) => testEngine.engine.cancel({ environmentId, transactionId: name }),
    runIdOf: async (name) => (await runOf(name)).id,
    async statesOf(name) {
      const { id, status } = await runOf(name)
      const jobs = await db.selectFrom('jobs').select('status').where('runId', '=', id).orderBy('position').execute()
      return [`${status}:`, ...jobs.map((job) => job.status)].join(' ')
    },
    async messages() {
      const rows = await db.selectFrom('messages').select('content').orderBy('id').execute()
      return rows.map(({ content }) => String(JSON.parse(content ?? '""')).split(','))
    },
  }
}

function createGate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

interface Collected {
  readonly payload: { readonly name: string }
}

function plain({ event }: BridgeStepCall, type: TestStep['type'] | undefined): Answer {
  if (type === 'delay' || type === 'digest') return replied({ amount: 1, unit: 'hours' })
  if (type === 'throttle') return replied({ amount: 1, unit: 'hours', threshold: 1 })
  const events = (event.state ?? []).flatMap(({ outputs }) => (outputs['events'] ?? []) as readonly Collected[])
  const names = new Set(events.length === 0 ? [event.payload?.['name']] : events.map(({ payload }) => payload.name))
  return replied({ body: [...names].join() })
}
