import type { JsonObject, StepState } from '@trestle/protocol'
import type { StepFailure, StepReport } from '../../report/run-report.ts'

/** A trigger of a workflow. */
export interface SimulatedTrigger {
  readonly id: string
  readonly payload: JsonObject
  /** Its time, milliseconds since 1970. */
  readonly atMs: number
}

export interface TriggerRun {
  readonly trigger: SimulatedTrigger
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
}

/** Creates a run that has not started. */
export function createTriggerRun(trigger: SimulatedTrigger): TriggerRun {
  const nothing = {
    state: [],
    reports: new Map(),
    unlisted: new Set<string>(),
    received: new Set<object>(),
    attempts: new Map<string, number>(),
  }
  return { trigger, ...nothing, nowMs: trigger.atMs, merged: false, canceled: false, handled: [], failure: undefined }
}
