import type { Deadline } from '../../call/deadline.ts'
import type { StepContext } from '../../workflow/kinds/signature.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import type { RunScope, StepOutcome } from './step-run.ts'

/** A stored result before its delivery to the awaiting code. */
export interface StoredResult {
  /** The step. */
  readonly id: string
  /** The result, or a promise of it. */
  readonly value: unknown
  /** Settles when the result has been validated; set if validation is asynchronous. */
  readonly ready?: Promise<unknown> | undefined
}

/**
 * Delivers the stored results of a run. The position of a result is its place in completion order, from 0 for the
 * oldest.
 */
export interface ReplayQueue {
  /** The resolve functions of held results, by position. */
  readonly held: (((value: unknown) => void) | undefined)[]
  /** The held results by position. */
  readonly values: unknown[]
  /** Promises that settle when a held result has been validated, by position. */
  readonly checks: (Promise<unknown> | undefined)[]
  /** Whether the function awaits each step at its call site, so that no result has to be held. */
  readonly isSequential: boolean
  /** The number of held results. */
  heldCount: number
  /** The position before which no result is held. */
  lowest: number
  /**
   * The first position that holds back all later ones: its step has not been called, or its result has not been
   * delivered.
   */
  next: number
  /** The positions by step id; only created if steps are not called in completion order. */
  positions: Map<string, number> | undefined
  /** Whether the next delivery is scheduled. */
  scheduled: boolean
  /** Whether several results were ever held at the same time; from then on, each delivery uses a separate turn. */
  parallel: boolean
  /** Whether the stored results do not match the code, so that no result holds back another. */
  unfit: boolean
  /** Whether a check for inactivity is scheduled. */
  watched: boolean
  /** Delivers the oldest result. All deliveries share this function. */
  deliver(): void
}

/** Receives the outcome of a run. */
export interface Settle {
  readonly resolve: (outcome: StepOutcome) => void
  readonly reject: (error: unknown) => void
}

/** The purpose of a run, which decides what an idle run means. */
export interface RunGoal {
  /** Schedules a check of whether the run is idle. */
  watch(run: RunState): void
  /** Called with an error that the function threw before the deciding step was reached. */
  onThrow(run: RunState, error: unknown): void
}

/** The state of one run of a workflow function. */
export interface RunState {
  readonly scope: RunScope
  readonly deadline: Deadline
  /** Receives the outcome; see {@link endRun} and {@link failRun}. */
  readonly settle: Settle
  /** Whether the outcome is set. After that, step calls have no effect. */
  ended: boolean
  /** Whether the requested step was called. From then on, only this step determines the outcome. */
  reached: boolean
  /** The goal of the run. */
  readonly goal: RunGoal
  /** The step that determines the outcome, once it was called. */
  decisive: StepCall | undefined
  /** Whether the function has returned or thrown. */
  returned: boolean
  /** Whether a step call after the end is reported to the app's developers, because its message is lost. */
  reportsLateCalls: boolean
  /** Ids of steps without a stored result; not promises, which would keep the awaiting code in memory. */
  readonly waiting: string[]
  /** The number of step calls, used to discard a decision about an earlier state. */
  progress: number
  /** Whether a turn of the event loop has passed since the run started. */
  turnPassed: boolean
  /** Whether the function has awaited something other than a step in this run. */
  awaitedIo: boolean
  /** Whether a decision about an idle run is in progress. */
  deciding: boolean
  /** Whether a check after the next turn is scheduled. */
  watching: boolean
  /** The number of stored results that are being validated asynchronously. */
  checking: number
  /** Whether discovery did not find the requested step. */
  unknownStep: boolean
  /** The current phase of the call, for the error message at the deadline. */
  phase: string
  /** The context of completed steps; one object is shared by all of them. */
  completed: StepContext | undefined
  /** The delivery of stored results, created when first needed. */
  replay: ReplayQueue | undefined
}

/** How a run is ended. */
export interface RunEnds {
  readonly settle: Settle
  readonly goal: RunGoal
}

/**
 * Creates the state of a run that has not started.
 *
 * @param scope - The scope of the run.
 * @param deadline - The deadline of the run.
 * @param ends - Receives the outcome once, and decides what an idle run means.
 */
export function createRunState(scope: RunScope, deadline: Deadline, { settle, goal }: RunEnds): RunState {
  return {
    scope,
    deadline,
    settle,
    goal,
    ended: false,
    reached: false,
    decisive: undefined,
    returned: false,
    reportsLateCalls: false,
    waiting: [],
    progress: 0,
    turnPassed: false,
    awaitedIo: false,
    deciding: false,
    watching: false,
    checking: 0,
    unknownStep: false,
    phase: 'the workflow function',
    completed: undefined,
    replay: undefined,
  }
}

/**
 * Ends a run; only the first end takes effect.
 *
 * @param run - The run to end.
 * @param outcome - The outcome of the run.
 */
export function endRun(run: RunState, outcome: StepOutcome): void {
  if (run.ended) return
  run.ended = true
  run.settle.resolve(outcome)
}

/**
 * Ends a run with a failure; only the first end takes effect.
 *
 * @param run - The run.
 * @param error - The reason for the failure.
 */
export function failRun(run: RunState, error: unknown): void {
  if (run.ended) return
  run.ended = true
  run.settle.reject(error)
}
