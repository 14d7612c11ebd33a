import type { JsonObject, StepType } from '@trestle/protocol'
import fc from 'fast-check'
import { parseObject } from './base/parse-json.ts'
import type { TestEngine } from './engine.fixture.ts'
import { refused, replied } from './fake-bridge.fixture.ts'
import type { StepPlay, TriggerPlay, WorkflowPlay } from './reference.fixture.ts'

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

// Two of them in one wave would race to end the rest of the run.
const wave = fc
  .tuple(fc.array(plain, { minLength: 1, maxLength: 3 }), fc.option(meeting, { freq: 2 }))
  .map(([steps, one]) => (one === null ? steps : [one, ...steps.slice(1)]))

/** Generates workflows. */
export const workflows: fc.Arbitrary<WorkflowPlay> = fc.array(wave, { minLength: 1, maxLength: 4 })

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
 * @param list - The triggers.
 * @returns The outcome of each trigger, in order.
 */
export async function playWorkflow(
  testEngine: TestEngine,
  add: (identifier: string) => Promise<unknown>,
  list: readonly TriggerPlay[],
) {
  const { clock, store } = testEngine
  const number = count++
  const identifier = `w${number}`
  await add(identifier)
  // Each workflow starts at a different whole second.
  clock.advance(startMs + number * 86_400_000 - clock.now())
  const beginMs = clock.now()
  const ids: string[] = []
  for (const [index, { atMs, subscriber, key }] of list.entries()) {
    if (beginMs + atMs - 1 > clock.now()) await testEngine.advanceTo(beginMs + atMs - 1)
    clock.advance(beginMs + atMs - clock.now())
    const to = `${subscriber}-${number}`
    ids.push((await testEngine.trigger({ name: identifier, to, payload: { key, index } }))?.transactionId ?? '')
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
        jobs: own.map(({ stepId, type, status, calledAt, endedAt, result }) => ({
          stepId,
          status,
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
  if (type === 'custom' || type === 'delay') return { result }
  if (type !== 'digest') return {}
  const events = result['events'] as readonly { readonly payload: JsonObject }[]
  return { result: { eventCount: result['eventCount'], indexes: events.map(({ payload }) => payload['index']) } }
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
  }
}
