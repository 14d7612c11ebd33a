import type { PlayedService, RunReport } from '../report/run-report.ts'
import { testBridge } from '../simulator/test-bridge.ts'
import type { LifecycleEngine, LifecycleOutcome } from './lifecycle.ts'

/** This kit as an engine for the lifecycle cases. */
export const lifecycleEngine: LifecycleEngine = createLifecycleEngine('run-driven')

/** Creates an engine for the lifecycle cases from this kit. */
export function createLifecycleEngine(service: PlayedService): LifecycleEngine {
  return Object.freeze({
    service,
    async play({ workflow, triggers, results, nowMs }) {
      const [first, ...rest] = triggers
      const logger = { warn: () => undefined, error: () => undefined }
      const run = await testBridge({ workflows: [workflow], logger, service }).run(workflow.id, {
        now: nowMs,
        payload: first?.payload ?? {},
        triggers: rest,
        doubles: results,
      })
      return [run, ...run.others].map((report) => toOutcome(report, nowMs))
    },
  } satisfies LifecycleEngine)
}

function toOutcome({ status, steps }: RunReport, nowMs: number): LifecycleOutcome {
  const outcomes = Object.values(steps).map(({ stepId, status: end, called, result, startedAt, endsAt }) => {
    return {
      stepId,
      status: end,
      result,
      calledAfterMs: called ? Date.parse(startedAt) - nowMs : null,
      endedAfterMs: Date.parse(endsAt) - nowMs,
    }
  })
  return { status, steps: outcomes }
}
