import type { ErrorReply, StepManifest } from '@trestle/protocol'
import type { StepFailure } from '../report/run-report.ts'
import { settleStep } from './settle-step.ts'
import type { Play, PlayedTrigger, Settlement, StepAnswer, Theatre } from './simulation.ts'

/**
 * Plays the service: takes each trigger through the steps, one after the other, and jumps over every wait. Triggers
 * meet in digests and throttles in the order of their times.
 *
 * @param theatre - The workflow, and the bridge.
 * @param triggers - The triggers.
 */
export async function play(theatre: Theatre, triggers: readonly PlayedTrigger[]): Promise<readonly Play[]> {
  const plays = triggers.map((trigger): Play => {
    return { trigger, state: [], reports: [], nowMs: trigger.atMs, cursor: 0, merged: false, finish: undefined }
  })
  const waiting = [...plays]
  for (;;) {
    // A sort keeps the order of equal times: a trigger that comes as a digest ends is part of it.
    const next = waiting.sort((left, right) => left.nowMs - right.nowMs).shift()
    if (!next) return plays
    if (await advance(theatre, next)) waiting.push(next)
  }
}

/** Takes a trigger to its next wait, or to its end. Tells whether it waits. */
async function advance(theatre: Theatre, current: Play): Promise<boolean> {
  current.finish?.(current.nowMs)
  current.finish = undefined
  for (;;) {
    const step = theatre.steps[current.cursor]
    if (!step) return false
    const answer = await theatre.execute(current, step)
    const settlement = settleStep(theatre, { play: current, step, answer })
    current.cursor++
    const startedMs = current.nowMs
    const note = (endMs: number): void => record(current, { step, answer, settlement, startedMs, endMs })
    if (settlement.untilMs !== undefined) {
      current.nowMs = settlement.untilMs
      current.finish = note
      return true
    }
    note(startedMs)
    if (settlement.rest) return leaveRest(theatre, current, settlement.rest)
  }
}

interface Entry {
  readonly step: StepManifest
  readonly answer: StepAnswer
  readonly settlement: Settlement
  readonly startedMs: number
  readonly endMs: number
}

function record(current: Play, { step: { stepId, type }, answer, settlement, startedMs, endMs }: Entry): void {
  const { status, error } = settlement
  const result = settlement.result()
  const { outputs = {}, providers = {} } = answer.reply ?? {}
  current.state.unshift({
    stepId,
    outputs: result,
    state: { status, ...(error && { error: toStoredError(error) }) },
  })
  current.reports.push({
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

function leaveRest(theatre: Theatre, current: Play, status: 'skipped' | 'merged'): false {
  current.merged = status === 'merged'
  const at = new Date(current.nowMs).toISOString()
  for (const { stepId, type } of theatre.steps.slice(current.cursor)) {
    const nothing = { outputs: {}, providers: {}, result: {}, startedAt: at, endsAt: at, waitMs: 0, durationMs: 0 }
    current.reports.push({ stepId, type, status, called: false, ...nothing })
  }
  return false
}
