import type { JsonObject, StepType } from '@trestle/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import type { BridgeStepCall } from '../bridge/bridge-call.ts'
import { bothDrivers } from '../store/stores.fixture.ts'
import { parseObject } from './base/parse-json.ts'
import { createTestEngine, type TestEngine } from './engine.fixture.ts'
import { createFakeBridge, refused, replied } from './fake-bridge.fixture.ts'
import {
  playReference,
  type ReferenceRun,
  type StepPlay,
  type TriggerPlay,
  type WorkflowPlay,
} from './reference.fixture.ts'

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

// Two of them in one wave would race for how the rest of the run ends.
const wave = fc
  .tuple(fc.array(plain, { minLength: 1, maxLength: 3 }), fc.option(meeting, { freq: 2 }))
  .map(([steps, one]) => (one === null ? steps : [one, ...steps.slice(1)]))

const workflows: fc.Arbitrary<WorkflowPlay> = fc.array(wave, { minLength: 1, maxLength: 4 })

// Times whose last three digits differ keep waits of different triggers from ending at one time.
const triggers: fc.Arbitrary<readonly TriggerPlay[]> = fc
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

const startMs = Date.parse('2026-01-01T00:00:00Z')
let count = 0

describe.each(bothDrivers)('any workflow on %s does what the plainest engine does', (driver) => {
  const numRuns = driver === 'sqlite' ? draws(20, 1000) : draws(6, 300)

  test(
    'whatever its steps, and whatever meets in digests and throttles',
    async (context) => {
      let workflow: WorkflowPlay = []
      const bridge = createFakeBridge(({ stepId, event }) => {
        const play = workflow.flat()[Number(stepId.slice(1))]
        return play ? toAnswer(play, event.payload ?? {}) : refused('StepNotFoundError')
      })
      const made = await createTestEngine(driver, context, { bridge, nowMs: startMs })
      await fc.assert(
        fc.asyncProperty(workflows, triggers, async (randomWorkflow, randomTriggers) => {
          workflow = randomWorkflow
          bridge.calls.length = 0
          const real = await play(made, workflow, randomTriggers)
          const expected = playReference(workflow, randomTriggers)
          expect(real.map(({ outcome }) => outcome)).toEqual(expected.map(({ status, jobs }) => ({ status, jobs })))
          for (const { jobs } of real)
            expect(jobs.every(({ messages, isMessage }) => messages === (isMessage ? 1 : 0))).toBe(true)
          const asked = expected.flatMap(({ jobs }) => jobs.filter(({ calledMs }) => calledMs !== null))
          expect(bridge.calls).toHaveLength(asked.length)
          for (const call of bridge.calls)
            expectNewestFirst(call, workflow, expected[Number(call.event.payload?.['index'])])
        }),
        { numRuns, endOnFailure: true },
      )
    },
    600_000 + numRuns * 10_000,
  )
})

function toAnswer(play: StepPlay, { key }: JsonObject) {
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

/** The steps of earlier waves are all told, in the order of their ends, newest first. */
function expectNewestFirst(call: BridgeStepCall, workflow: WorkflowPlay, run: ReferenceRun | undefined): void {
  const told = call.event.state?.map(({ stepId }) => run?.jobs.find((job) => job.stepId === stepId)) ?? []
  const ends = told.map((job) => job?.endedMs ?? Number.NaN)
  expect(ends).toEqual(ends.toSorted((left, right) => right - left))
  const waves = workflow.flatMap(({ length }, index) => Array.from({ length }, () => index))
  const wave = waves[Number(call.stepId.slice(1))] ?? 0
  const before = run?.jobs.filter((_, index) => (waves[index] ?? 0) < wave) ?? []
  expect(told).toEqual(expect.arrayContaining(before))
}

async function play(made: TestEngine, workflow: WorkflowPlay, list: readonly TriggerPlay[]) {
  const { clock, store } = made
  const number = count++
  const identifier = `w${number}`
  let group = 0
  const steps = workflow.flatMap((one) => {
    const parallelGroup = group++
    return one.map((play) => ({ play, parallelGroup }))
  })
  await made.addWorkflow(
    identifier,
    steps.map(({ play, parallelGroup }, index) => ({ stepId: `s${index}`, type: toType(play), parallelGroup })),
  )
  // A time of its own for each workflow, on the whole second.
  clock.advance(startMs + number * 86_400_000 - clock.now())
  const beginMs = clock.now()
  const ids: string[] = []
  for (const [index, { atMs, subscriber, key }] of list.entries()) {
    if (beginMs + atMs - 1 > clock.now()) await made.advanceTo(beginMs + atMs - 1)
    clock.advance(beginMs + atMs - clock.now())
    const to = `${subscriber}-${number}`
    ids.push((await made.trigger({ name: identifier, to, payload: { key, index } }))?.transactionId ?? '')
    await made.drain()
  }
  await made.advanceTo(beginMs + 86_000_000)
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

function toType(play: StepPlay): StepType {
  return 'type' in play ? play.type : play.kind
}

/** Only what the reference speaks of. */
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
