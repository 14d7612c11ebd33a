import type { ErrorReply, StepManifest } from '@trestle/protocol'
import type { StepFailure } from '../report/run-report.ts'
import { settleStep } from './settle-step.ts'
import type { Settlement, SimulatedTrigger, Simulation, StepAnswer, TriggerRun } from './simulation.ts'

/**
 * Takes each trigger through the steps as the service does, one after the other, and skips every wait. Triggers meet in
 * digests and throttles in the order of their times.
 *
 * @param simulation - The workflow, and the bridge.
 * @param triggers - The triggers.
 * @returns The runs of the triggers, in the order of the triggers.
 */
export async function simulateService(
  simulation: Simulation,
  triggers: readonly SimulatedTrigger[],
): Promise<readonly TriggerRun[]> {
  const runs = triggers.map((trigger): TriggerRun => {
    const nothing = { state: [], reports: [], unlisted: new Set<string>() }
    return { trigger, ...nothing, nowMs: trigger.atMs, cursor: 0, merged: false, finish: undefined }
  })
  const waiting = [...runs]
  for (;;) {
    // A sort keeps the order of equal times: a trigger that comes as a digest ends is part of it.
    const next = waiting.sort((left, right) => left.nowMs - right.nowMs).shift()
    if (!next) return runs
    if (await advance(simulation, next)) waiting.push(next)
  }
}

/** Takes a trigger to its next wait, or to its end. Returns whether it waits. */
async function advance(simulation: Simulation, run: TriggerRun): Promise<boolean> {
  run.finish?.(run.nowMs)
  run.finish = undefined
  for (;;) {
    const step = simulation.steps[run.cursor]
    if (!step) {
      await simulation.probeEnd(run)
      return false
    }
    const answer = await simulation.execute(run, step)
    const settlement = settleStep(simulation, { run, step, answer })
    run.cursor++
    const startedMs = run.nowMs
    const note = (endMs: number): void => record(run, { step, answer, settlement, startedMs, endMs })
    if (settlement.untilMs !== undefined) {
      run.nowMs = settlement.untilMs
      run.finish = note
      return true
    }
    note(startedMs)
    if (settlement.rest) return leaveRest(simulation, run, settlement.rest)
  }
}

interface Entry {
  readonly step: StepManifest
  readonly answer: StepAnswer
  readonly settlement: Settlement
  readonly startedMs: number
  readonly endMs: number
}

function record(run: TriggerRun, { step: { stepId, type }, answer, settlement, startedMs, endMs }: Entry): void {
  const { status, error } = settlement
  const result = settlement.result()
  const { outputs = {}, providers = {} } = answer.reply ?? {}
  run.state.unshift({
    stepId,
    outputs: result,
    state: { status, ...(error && { error: toStoredError(error) }) },
  })
  run.reports.push({
    stepId,
    type,
    status,
    called: true,
    outputs,
    providers,
    result,
    startedAt: new Date(startedMs).toISOString(),
    endsAt: new Date(endMs).toISOString(),
    waitMs: endMs - startedMs,
    durationMs: answer.durationMs,
    ...(error && { error }),
  })
}

function toStoredError({ code, message, data }: StepFailure): ErrorReply {
  return { code, message, data }
}

function leaveRest(simulation: Simulation, run: TriggerRun, status: 'skipped' | 'merged'): false {
  run.merged = status === 'merged'
  const at = new Date(run.nowMs).toISOString()
  for (const { stepId, type } of simulation.steps.slice(run.cursor)) {
    const nothing = { outputs: {}, providers: {}, result: {}, startedAt: at, endsAt: at, waitMs: 0, durationMs: 0 }
    run.reports.push({ stepId, type, status, called: false, ...nothing })
  }
  return false
}
