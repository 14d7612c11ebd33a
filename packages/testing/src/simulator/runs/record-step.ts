import type { ErrorReply, OpenStep } from '@trestle/protocol'
import type { StepFailure, StepStatus } from '../../report/run-report.ts'
import type { StepAnswer } from '../calls/call-step.ts'
import type { TriggerRun } from '../calls/trigger-run.ts'
import type { Settlement } from './simulation.ts'

/** A step that the bridge has executed. */
export interface ExecutedStep {
  readonly step: OpenStep
  readonly answer: StepAnswer
  /** When it was called, in milliseconds since 1970. */
  readonly startedMs: number
}

/**
 * Stores the result of a step, and adds its report.
 *
 * @param run - The run; its time is the end of the step.
 */
export function recordStep(run: TriggerRun, executed: ExecutedStep, settlement: Settlement): void {
  const { status, error } = settlement
  const result = settlement.result()
  const { stepId, type } = executed.step
  const { outputs = {}, providers = {} } = executed.answer.reply ?? {}
  run.state.unshift({ stepId, outputs: result, state: { status, ...(error && { error: toStoredError(error) }) } })
  const { durationMs } = executed.answer
  const times = toTimes(executed.startedMs, run.nowMs)
  const attempts = (run.attempts.get(stepId) ?? 0) + 1
  const report = { stepId, type, status, called: true, outputs, providers, result, ...times, durationMs }
  run.reports.set(stepId, { ...report, ...(attempts > 1 && { attempts }), ...(error && { error }) })
}

/**
 * Adds the report of a step without a result: it was not called, or its wait was canceled.
 *
 * @param ended - How it ended, and its call if there was one.
 */
export function recordEnd(
  run: TriggerRun,
  { stepId, type }: OpenStep,
  { status, executed }: { readonly status: StepStatus; readonly executed?: ExecutedStep },
): void {
  const { outputs = {}, providers = {} } = executed?.answer.reply ?? {}
  const called = executed !== undefined
  const times = toTimes(executed?.startedMs ?? run.nowMs, run.nowMs)
  const durationMs = executed?.answer.durationMs ?? 0
  run.reports.set(stepId, { stepId, type, status, called, outputs, providers, result: {}, ...times, durationMs })
}

/** Removes the result of a step that has not ended after all. */
export function dropResult(run: TriggerRun, stepId: string): void {
  const index = run.state.findIndex((state) => state.stepId === stepId)
  if (index >= 0) run.state.splice(index, 1)
  run.reports.set(stepId, undefined)
}

function toTimes(startMs: number, endMs: number) {
  return {
    startedAt: new Date(startMs).toISOString(),
    endsAt: new Date(endMs).toISOString(),
    waitMs: endMs - startMs,
  }
}

function toStoredError({ code, message, data }: StepFailure): ErrorReply {
  return { code, message, data }
}
