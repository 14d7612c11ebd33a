import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { createTestEngine } from '../engine.fixture.ts'
import {
  childWorkflow,
  eventPlays,
  ledWorkflows,
  playWorkflow,
  startMs,
  toLedOutputs,
  toStepType,
  triggers,
} from '../model.fixture.ts'
import { createProgramBridge, type Program } from '../program-bridge.fixture.ts'
import { playReference, type ReferenceRun, type WorkflowPlay } from '../reference.fixture.ts'

describe.each(bothDrivers)(
  'any workflow whose bridge decides the next step, on %s, matches the reference engine',
  (driver) => {
    const numRuns = driver === 'sqlite' ? draws(10, 1000) : draws(3, 300)

    test(
      'for any steps, digests, throttles, retries, events and triggered runs',
      async (context) => {
        const bridge = createProgramBridge()
        const testEngine = await createTestEngine(driver, context, { bridge, nowMs: startMs, engine: { quietMs: 1 } })
        bridge.programs.set(childWorkflow.identifier, childWorkflow.program)
        await testEngine.addLedWorkflow(childWorkflow.identifier)
        await fc.assert(
          fc.asyncProperty(ledWorkflows, triggers, eventPlays, async (workflow, list, events) => {
            bridge.ran.length = 0
            bridge.calls.length = 0
            const add = async (identifier: string) => {
              bridge.programs.set(identifier, toProgram(workflow, identifier))
              await testEngine.addLedWorkflow(identifier)
            }
            const real = await playWorkflow(testEngine, add, { triggers: list, events })
            // Steps that the bridge never requests have no job.
            const expected = playReference(workflow, list, events).map(({ status, jobs }) => {
              return { status, jobs: jobs.filter(({ calledMs }) => calledMs !== null) }
            })
            expect(real.map(({ outcome }) => outcome)).toEqual(expected)
            for (const { jobs } of real)
              expect(jobs.every(({ messages, isMessage }) => messages === (isMessage ? 1 : 0))).toBe(true)
            const stepsRan = bridge.ran.filter((stepId) => stepId.startsWith('s'))
            expect(stepsRan).toHaveLength(countCalls(expected))
            expect(bridge.ran.filter((stepId) => stepId === 'end')).toHaveLength(countChildren(workflow, expected))
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

function toProgram(workflow: WorkflowPlay, identifier: string): Program {
  const attempts = new Map<string, number>()
  return async ({ step, payload, handleFailure }) => {
    let number = 0
    for (const wave of workflow)
      await Promise.all(
        wave.map((play) => {
          const stepId = `s${number++}`
          if (play.kind === 'retry' && play.handled) handleFailure(stepId)
          const handler = () => {
            const key = `${payload['index']} ${stepId}`
            const attempt = attempts.get(key) ?? 0
            attempts.set(key, attempt + 1)
            return toLedOutputs(play, payload, { identifier, attempt })
          }
          return step(stepId, toStepType(play), handler)
        }),
      )
  }
}

type Outcomes = readonly Pick<ReferenceRun, 'jobs'>[]

const countCalls = (runs: Outcomes): number =>
  runs.flatMap(({ jobs }) => jobs).reduce((sum, { attempts = 0 }) => sum + attempts + 1, 0)

function countChildren(workflow: WorkflowPlay, runs: Outcomes): number {
  const plays = new Map(workflow.flat().map((play, index) => [`s${index}`, play]))
  const children = runs
    .flatMap(({ jobs }) => jobs)
    .map(({ stepId }) => {
      const play = plays.get(stepId)
      return play?.kind === 'trigger' ? play.recipients : 0
    })
  return children.reduce((sum, count) => sum + count, 0)
}
