import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import type { BridgeStepCall } from '../bridge/bridge-call.ts'
import { bothDrivers } from '../store/stores.fixture.ts'
import { createTestEngine } from './engine.fixture.ts'
import type { TestStep } from './engine-rows.fixture.ts'
import { createFakeBridge, refused } from './fake-bridge.fixture.ts'
import { playWorkflow, startMs, toAnswer, toStepType, triggers, workflows } from './model.fixture.ts'
import { playReference, type ReferenceRun, type WorkflowPlay } from './reference.fixture.ts'

describe.each(bothDrivers)('any workflow on %s matches the reference engine', (driver) => {
  const numRuns = driver === 'sqlite' ? draws(20, 1000) : draws(6, 300)

  test(
    'for any steps, digests and throttles',
    async (context) => {
      let workflow: WorkflowPlay = []
      const bridge = createFakeBridge(({ stepId, event }) => {
        const play = workflow.flat()[Number(stepId.slice(1))]
        return play ? toAnswer(play, event.payload ?? {}) : refused('StepNotFoundError')
      })
      const testEngine = await createTestEngine(driver, context, { bridge, nowMs: startMs })
      await fc.assert(
        fc.asyncProperty(workflows, triggers, async (randomWorkflow, randomTriggers) => {
          workflow = randomWorkflow
          bridge.calls.length = 0
          const add = (identifier: string) => testEngine.addWorkflow(identifier, toSteps(workflow))
          const real = await playWorkflow(testEngine, add, { triggers: randomTriggers })
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

/** All steps of earlier waves must be passed to the bridge, most recently finished first. */
function expectNewestFirst(call: BridgeStepCall, workflow: WorkflowPlay, run: ReferenceRun | undefined): void {
  const reportedJobs = call.event.state?.map(({ stepId }) => run?.jobs.find((job) => job.stepId === stepId)) ?? []
  const ends = reportedJobs.map((job) => job?.endedMs ?? Number.NaN)
  expect(ends).toEqual(ends.toSorted((left, right) => right - left))
  const waves = workflow.flatMap(({ length }, index) => Array.from({ length }, () => index))
  const wave = waves[Number(call.stepId.slice(1))] ?? 0
  const before = run?.jobs.filter((_, index) => (waves[index] ?? 0) < wave) ?? []
  expect(reportedJobs).toEqual(expect.arrayContaining(before))
}

function toSteps(workflow: WorkflowPlay): readonly TestStep[] {
  const steps = workflow.flatMap((wave, parallelGroup) => wave.map((play) => ({ play, parallelGroup })))
  return steps.map(({ play, parallelGroup }, index) => ({ stepId: `s${index}`, type: toStepType(play), parallelGroup }))
}
