import type { JsonObject } from '@trestle/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { createTestEngine } from '../engine.fixture.ts'
import { playWorkflow, startMs, toAnswer, toStepType, triggers, workflows } from '../model.fixture.ts'
import { createProgramBridge, type Program } from '../program-bridge.fixture.ts'
import { playReference, type StepPlay, type WorkflowPlay } from '../reference.fixture.ts'

describe.each(bothDrivers)(
  'any workflow whose bridge decides the next step, on %s, matches the reference engine',
  (driver) => {
    const numRuns = driver === 'sqlite' ? draws(20, 1000) : draws(6, 300)

    test(
      'for any steps, digests and throttles',
      async (context) => {
        const bridge = createProgramBridge()
        const testEngine = await createTestEngine(driver, context, { bridge, nowMs: startMs, engine: { quietMs: 1 } })
        await fc.assert(
          fc.asyncProperty(workflows, triggers, async (workflow, list) => {
            bridge.ran.length = 0
            bridge.calls.length = 0
            const add = async (identifier: string) => {
              bridge.programs.set(identifier, toProgram(workflow))
              await testEngine.addLedWorkflow(identifier)
            }
            const real = await playWorkflow(testEngine, add, list)
            // Steps that the bridge never requests have no job.
            const expected = playReference(workflow, list).map(({ status, jobs }) => {
              return { status, jobs: jobs.filter(({ calledMs }) => calledMs !== null) }
            })
            expect(real.map(({ outcome }) => outcome)).toEqual(expected)
            for (const { jobs } of real)
              expect(jobs.every(({ messages, isMessage }) => messages === (isMessage ? 1 : 0))).toBe(true)
            expect(bridge.ran).toHaveLength(expected.flatMap(({ jobs }) => jobs).length)
            for (const { event } of bridge.calls) {
              const jobs = expected[Number(event.payload?.['index'])]?.jobs ?? []
              const ends = (event.state ?? []).map(
                (one) => jobs.find(({ stepId }) => stepId === one.stepId)?.endedMs ?? 0,
              )
              expect(ends).toEqual(ends.toSorted((left, right) => right - left))
            }
          }),
          { numRuns, endOnFailure: true },
        )
      },
      600_000 + numRuns * 10_000,
    )
  },
)

function toProgram(workflow: WorkflowPlay): Program {
  return async ({ step, payload }) => {
    let number = 0
    for (const wave of workflow)
      await Promise.all(wave.map((play) => step(`s${number++}`, toStepType(play), () => toOutputs(play, payload))))
  }
}

function toOutputs(play: StepPlay, payload: JsonObject): JsonObject | undefined {
  const { reply, failure } = toAnswer(play, payload)
  if (failure) throw new Error(failure.message)
  return reply?.options.skip ? undefined : reply?.outputs
}
