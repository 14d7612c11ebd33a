import type { JsonObject, StepState } from '@trestle/protocol'
import type { ChildStatus } from '@trestle/run-rules'
import type { StepFailure, StepReport } from '../../report/run-report.ts'

/** A trigger of a workflow. */
export interface SimulatedTrigger {
  readonly id: string
  readonly payload: JsonObject
  /** Values that replace those of the code, as in the service. */
  readonly overrides: JsonObject
  /** Its time, milliseconds since 1970. */
  readonly atMs: number
}

export interface TriggerRun {
  readonly trigger: SimulatedTrigger
  /** How many runs triggered each other before this one. */
  readonly depth: number
  /** The stored state, newest step first. */
  readonly state: StepState[]
  /** The step reports in call order; `undefined` for a step without a result. */
  readonly reports: Map<string, StepReport | undefined>
  /** Steps that the function called but discovery does not list. */
  readonly unlisted: Set<string>
  /** The time of the run, milliseconds since 1970. */
  nowMs: number
  /** How many times failed steps were retried, by step id. */
  readonly attempts: Map<string, number>
  /** The events that its steps have received; added to during the run. */
  readonly received: Set<object>
  /** Whether another trigger's digest has merged the event. */
  merged: boolean
  /** The failed steps whose failure its function received. */
  handled: readonly string[]
  /** Whether an event has canceled it. */
  canceled: boolean
  /** The failure that ended the run outside of its steps. */
  failure: StepFailure | undefined
  /** Called when the run has ended; again if it was reopened by a digest, or canceled afterwards. */
  onEnd: (() => void) | undefined
}

/**
 * Creates a run that has not started.
 *
 * @param depth - How many runs triggered each other before this one.
 */
export function createTriggerRun(trigger: SimulatedTrigger, depth = 0): TriggerRun {
  const nothing = {
    state: [],
    reports: new Map(),
    unlisted: new Set<string>(),
    received: new Set<object>(),
    attempts: new Map<string, number>(),
  }
  const open = { merged: false, canceled: false, handled: [], failure: undefined, onEnd: undefined }
  return { trigger, depth, ...nothing, nowMs: trigger.atMs, ...open }
}

/** A failure of a run, with the step that failed. */
type RunError = StepFailure & { readonly stepId?: string }

/** Returns the failures that the workflow function did not handle, in order. */
export function toRunErrors({ reports, handled, failure }: TriggerRun): readonly RunError[] {
  const failures = [...reports.values()].flatMap((report) =>
    report?.error && !handled.includes(report.stepId) ? [{ stepId: report.stepId, ...report.error }] : [],
  )
  return failure ? [...failures, failure] : failures
}

/** Returns how a run has ended. */
export function toRunEnd(run: TriggerRun): ChildStatus {
  if (run.merged) return 'merged'
  if (run.canceled) return 'canceled'
  return toRunErrors(run).length > 0 ? 'failed' : 'completed'
}
