import type { JsonObject, StepType } from '@trestle/protocol'
import fc from 'fast-check'
import { parseObject } from './base/parse-json.ts'
import type { TestEngine } from './engine.fixture.ts'
import { refused, replied } from './fake-bridge.fixture.ts'
import { type Program, RetriedError } from './program-bridge.fixture.ts'
import type { EventPlay, StepPlay, TriggerPlay, WorkflowPlay } from './reference.fixture.ts'

const channel = fc.constantFrom<StepType>('email', 'sms', 'push', 'chat', 'in_app', 'tool')

const plain: fc.Arbitrary<StepPlay> = fc.oneof(
  { weight: 3, arbitrary: channel.map((type): StepPlay => ({ kind: 'message', type })) },
  { weight: 2, arbitrary: fc.nat(9).map((n): StepPlay => ({ kind: 'custom', output: { n } })) },
  { weight: 1, arbitrary: channel.map((type): StepPlay => ({ kind: 'skip', type })) },
  { weight: 1, arbitrary: channel.map((type): StepPlay => ({ kind: 'fail', type })) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 90 }).map((seconds): StepPlay => ({ kind: 'delay', seconds })) },
)

const meeting: fc.Arbitrary<StepPlay> = fc.oneof(
  fc
    .record({
      seconds: fc.integer({ min: 5, max: 120 }),
      keyed: fc.boolean(),
      lookBackSeconds: fc.option(fc.integer({ min: 5, max: 60 })),
    })
    .map(({ lookBackSeconds, ...rest }): StepPlay => {
      return { kind: 'digest', ...rest, ...(lookBackSeconds !== null && { lookBackSeconds }) }
    }),
  fc
    .record({ minutes: fc.constantFrom(1, 2), threshold: fc.integer({ min: 1, max: 3 }), keyed: fc.boolean() })
    .map((one): StepPlay => ({ kind: 'throttle', ...one })),
)

/** A throttle ends a run while a parallel step fails, so whether its failure was received depends on chance. */
function besides(one: StepPlay, play: StepPlay): StepPlay {
  return one.kind === 'throttle' && play.kind === 'retry' ? { ...play, handled: false } : play
}

/** Generates workflows of waves: each has several steps, and at most one that other runs or steps may affect. */
function toWorkflows(steps: fc.Arbitrary<StepPlay>, single: fc.Arbitrary<StepPlay>): fc.Arbitrary<WorkflowPlay> {
  const wave = fc
    .tuple(fc.array(steps, { minLength: 1, maxLength: 3 }), fc.option(single, { freq: 2 }))
    .map(([several, one]) => (one === null ? several : [one, ...several.slice(1).map((play) => besides(one, play))]))
  return fc.array(wave, { minLength: 1, maxLength: 4 })
}

/** Generates workflows. Two digests or throttles in one wave would race to end the rest of the run. */
export const workflows: fc.Arbitrary<WorkflowPlay> = toWorkflows(plain, meeting)

const retried: fc.Arbitrary<StepPlay> = fc
  .record({
    type: channel,
    failures: fc.nat(3),
    retries: fc.nat(2),
    seconds: fc.integer({ min: 1, max: 40 }),
    handled: fc.boolean(),
  })
  .map((one): StepPlay => ({ kind: 'retry', ...one }))

const triggering: fc.Arbitrary<StepPlay> = fc
  .record({
    awaits: fc.boolean(),
    recipients: fc.integer({ min: 1, max: 2 }),
    seconds: fc.integer({ min: 1, max: 60 }),
    fails: fc.boolean(),
  })
  .map((one): StepPlay => ({ kind: 'trigger', ...one }))

const awaiting: fc.Arbitrary<StepPlay> = fc
  .record({ seconds: fc.integer({ min: 1, max: 90 }), keyed: fc.boolean() })
  .map((one): StepPlay => ({ kind: 'wait_for_event', ...one }))

/** Generates workflows whose bridge decides the next step. Two waits in one wave would race for an earlier event. */
export const ledWorkflows: fc.Arbitrary<WorkflowPlay> = toWorkflows(
  fc.oneof({ weight: 3, arbitrary: plain }, retried, triggering),
  fc.oneof(meeting, { weight: 2, arbitrary: awaiting }),
)

/** Generates events. Their last digits differ from those of all triggers, so no wait ends at the same time. */
export const eventPlays: fc.Arbitrary<readonly EventPlay[]> = fc
  .array(
    fc.record({
      second: fc.nat(150),
      index: fc.nat(2),
      key: fc.constantFrom('x', 'y'),
      to: fc.constantFrom(null, null, 'anna', 'ben'),
    }),
    { maxLength: 12 },
  )
  .map((list) =>
    list
      .map(({ second, ...rest }, number) => ({ ...rest, atMs: second * 1000 + 500 + number * 13 }))
      .toSorted((left, right) => left.atMs - right.atMs),
  )

// Different last digits prevent waits of different triggers from ending at the same time of day.
/** Generates triggers of one workflow. */
export const triggers: fc.Arbitrary<readonly TriggerPlay[]> = fc
  .array(
    fc.record({ second: fc.nat(200), subscriber: fc.constantFrom('anna', 'ben'), key: fc.constantFrom('x', 'y') }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((list) =>
    list
      .map(({ second, ...rest }, index) => ({ ...rest, atMs: second * 1000 + index * 13 }))
      .toSorted((left, right) => left.atMs - right.atMs),
  )

/** The initial time of a model's engine. */
export const startMs = Date.parse('2026-01-01T00:00:00Z')
let count = 0

/**
 * Runs triggers through a workflow of an engine, each at its time, until no wait is left.
 *
 * @param testEngine - The engine.
 * @param add - Stores the workflow under an identifier.
 * @param plays - The triggers and events, in order.
 * @returns The outcome of each trigger, in order.
 */
export async function playWorkflow(
  testEngine: TestEngine,
  add: (identifier: string) => Promise<unknown>,
  {
    triggers: list,
    events = [],
  }: { readonly triggers: readonly TriggerPlay[]; readonly events?: readonly EventPlay[] },
) {
  const { clock, store } = testEngine
  const number = count++
  const identifier = `w${number}`
  await add(identifier)
  // Each workflow starts at a different whole second.
  clock.advance(startMs + number * 86_400_000 - clock.now())
  const beginMs = clock.now()
  const ids: string[] = []
  const toId = (subscriber: string): string => `${subscriber}-${number}`
  const trigger = async ({ subscriber, key }: TriggerPlay, index: number): Promise<void> => {
    const to = toId(subscriber)
    ids.push((await testEngine.trigger({ name: identifier, to, payload: { key, index } }))?.transactionId ?? '')
  }
  const emit = ({ index, key, to }: EventPlay, eventNumber: number): Promise<unknown> =>
    testEngine.engine.emit({
      ...{ environmentId: testEngine.target.environmentId, name: `of ${identifier}` },
      ...{ payload: { index, key, number: eventNumber }, ...(to !== null && { to: toId(to) }) },
    })
  const acts = [
    ...list.map((one, index) => ({ atMs: one.atMs, act: () => trigger(one, index) })),
    ...events.map((one, index) => ({ atMs: one.atMs, act: () => emit(one, index) })),
  ].toSorted((left, right) => left.atMs - right.atMs)
  for (const { atMs, act } of acts) {
    if (beginMs + atMs - 1 > clock.now()) await testEngine.advanceTo(beginMs + atMs - 1)
    clock.advance(beginMs + atMs - clock.now())
    await act()
    await testEngine.drain()
  }
  await testEngine.advanceTo(beginMs + 86_000_000)
  const runs = await store.db.selectFrom('runs').selectAll().where('workflowIdentifier', '=', identifier).execute()
  const jobs = await store.db
    .selectFrom('jobs')
    .selectAll()
    .where(
      'runId',
      'in',
      runs.map(({ id }) => id),
    )
    .orderBy('position')
    .execute()
  const messages = await store.db
    .selectFrom('messages')
    .select('jobId')
    .where(
      'runId',
      'in',
      runs.map(({ id }) => id),
    )
    .execute()
  return ids.map((transactionId) => {
    const run = runs.find((row) => row.transactionId === transactionId)
    const own = jobs.filter(({ runId }) => runId === run?.id)
    return {
      outcome: {
        status: run?.status,
        jobs: own.map(({ stepId, type, status, calledAt, endedAt, result, attempts }) => ({
          stepId,
          status,
          ...(attempts > 0 && { attempts }),
          calledMs: calledAt === null ? null : calledAt - beginMs,
          endedMs: (endedAt ?? Number.NaN) - beginMs,
          ...toResult(type, status, parseObject(result)),
        })),
      },
      jobs: own.map(({ id, type, status }) => ({
        isMessage: status === 'completed' && ['email', 'sms', 'push', 'chat', 'in_app', 'tool'].includes(type),
        messages: messages.filter(({ jobId }) => jobId === id).length,
      })),
    }
  })
}

export function toStepType(play: StepPlay): StepType {
  return 'type' in play ? play.type : play.kind
}

/** Keeps only the fields that the reference predicts. */
function toResult(type: string, status: string, result: JsonObject): { readonly result?: JsonObject } {
  if (type === 'throttle' && 'executionCount' in result) {
    const { throttled, executionCount } = result
    return { result: { throttled, executionCount } }
  }
  if (status !== 'completed') return {}
  if (type === 'wait_for_event') {
    const { received, payload } = result
    return { result: received ? { received, number: (payload as JsonObject)['number'] } : { received } }
  }
  if (type === 'trigger') {
    const runs = result['runs'] as readonly JsonObject[] | undefined
    return { result: { status: result['status'], ...(runs && { runs: runs.map((run) => run['status']) }) } }
  }
  if (type === 'custom' || type === 'delay') return { result }
  if (type !== 'digest') return {}
  const events = result['events'] as readonly { readonly payload: JsonObject }[]
  return { result: { eventCount: result['eventCount'], indexes: events.map(({ payload }) => payload['index']) } }
}

/** Returns the workflow that steps trigger: its runs wait, and may then fail. */
export const childWorkflow: { readonly identifier: string; readonly program: Program } = {
  identifier: 'child',
  async program({ step, payload: { seconds, fails } }) {
    await step('pause', 'delay', () => ({ amount: seconds, unit: 'seconds' }))
    await step('end', 'custom', () => {
      if (fails) throw new Error('no')
      return {}
    })
  },
}

/** Returns what the handler of a step returns whose bridge decides the next step, or throws its failure. */
export function toLedOutputs(
  play: StepPlay,
  payload: JsonObject,
  { identifier, attempt }: { readonly identifier: string; readonly attempt: number },
): JsonObject | undefined {
  const { index, key } = payload
  if (play.kind === 'retry') {
    const { failures, retries, seconds } = play
    if (attempt < failures) throw new RetriedError({ retries, backoffMs: seconds * 1000, backoffFactor: 2 })
    return { body: 'b' }
  }
  if (play.kind === 'wait_for_event') {
    const timeout = { amount: play.seconds, unit: 'seconds' }
    return { event: `of ${identifier}`, match: { index, ...(play.keyed && { key }) }, timeout }
  }
  if (play.kind === 'trigger') {
    const { recipients, seconds, fails, awaits } = play
    const to = Array.from({ length: recipients }, (_, number) => `child-${number}`)
    return { workflow: childWorkflow.identifier, to, payload: { seconds, fails }, ...(awaits && { await: true }) }
  }
  const { reply, failure } = toAnswer(play, payload)
  if (failure) throw new Error(failure.message)
  return reply?.options.skip ? undefined : reply?.outputs
}

/** Returns a bridge's reply for a step. */
export function toAnswer(play: StepPlay, { key }: JsonObject) {
  switch (play.kind) {
    case 'skip':
      return replied({}, true)
    case 'fail':
      return refused('StepExecutionFailedError')
    case 'message':
      return replied({ body: 'b' })
    case 'custom':
      return replied(play.output)
    case 'delay':
      return replied({ amount: play.seconds, unit: 'seconds' })
    case 'digest': {
      const { seconds, keyed, lookBackSeconds: back } = play
      const lookBackWindow = back === undefined ? undefined : { amount: back, unit: 'seconds' }
      return replied({
        amount: seconds,
        unit: 'seconds',
        ...(keyed && { digestKey: key }),
        ...(lookBackWindow && { lookBackWindow }),
      })
    }
    case 'throttle': {
      const { minutes, threshold, keyed } = play
      return replied({ type: 'fixed', amount: minutes, unit: 'minutes', threshold, ...(keyed && { throttleKey: key }) })
    }
    default:
      return refused('StepNotFoundError')
  }
}
