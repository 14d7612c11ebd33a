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
  /** Settles when the result was validated; set if validation is asynchronous. */
  readonly ready?: Promise<unknown> | undefined
}

/**
 * Delivers the stored results of a run. Results have positions in the order of their completion, from 0, the oldest.
 */
export interface ReplayQueue {
  /** The resolve functions of held results, by position. */
  readonly held: (((value: unknown) => void) | undefined)[]
  /** The held results by position. */
  readonly values: unknown[]
  /** Promises that settle when a held result was validated, by position. */
  readonly checks: (Promise<unknown> | undefined)[]
  /** Whether the function awaits each step where it calls it, so that no result has to be held. */
  readonly isSequential: boolean
  /** The number of held results. */
  heldCount: number
  /** No result is held before this position. */
  lowest: number
  /** The first position that holds back all later ones: its step was not called, or its result is not delivered. */
  next: number
  /** The positions by step id; created if steps are not called in the order of their completion. */
  positions: Map<string, number> | undefined
  /** Whether the next delivery is scheduled. */
  scheduled: boolean
  /** Whether several results were ever held at the same time: from then on each delivery has a separate turn. */
  parallel: boolean
  /** Whether the stored results do not match the code, so that none holds back another. */
  unfit: boolean
  /** Whether a check after silence is scheduled. */
  watched: boolean
  /** Delivers the oldest result. One function for all deliveries. */
  deliver(): void
}

/** Receives the outcome of a run. */
export interface Settle {
  readonly resolve: (outcome: StepOutcome) => void
  readonly reject: (error: unknown) => void
}

/** The purpose of a run, which decides what an idle run means. */
export interface RunGoal {
  /** Schedules a check whether the run is idle. */
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
  /** Whether the outcome is set. After it step calls have no effect. */
  ended: boolean
  /** Whether the requested step was called. From then on only it decides. */
  reached: boolean
  /** The goal of the run. */
  readonly goal: RunGoal
  /** The step that decides, if it was called. */
  decisive: StepCall | undefined
  /** Whether the function has returned, or thrown. */
  returned: boolean
  /** Whether a step call after the end is a lost message, which is reported to the app's developers. */
  reportsLateCalls: boolean
  /** Ids of steps without a stored result; never promises, which would keep the awaiting code in memory. */
  readonly waiting: string[]
  /** Counts step calls, so that a verdict about an older situation is thrown away. */
  progress: number
  /** Whether a turn of the event loop has passed since the run started. */
  turnPassed: boolean
  /** Whether this run has shown that the function awaits something other than a step. */
  awaitedIo: boolean
  /** Whether a decision about an idle run is in progress. */
  deciding: boolean
  /** Whether a check after the next turn is scheduled. */
  watching: boolean
  /** How many stored results are being checked asynchronously. */
  checking: number
  /** Whether discovery does not know the requested step. */
  unknownStep: boolean
  /** The phase the call is in, for the message at the deadline. */
  phase: string
  /** The context of every completed step; one object is shared by all of them. */
  completed: StepContext | undefined
  /** The delivery of stored results; created at first need. */
  replay: ReplayQueue | undefined
}

/** How a run ends. */
export interface RunEnds {
  readonly settle: Settle
  readonly goal: RunGoal
}

/**
 * Creates the state of a run that has not started.
 *
 * @param scope - The scope of the run.
 * @param deadline - When it must have ended.
 * @param ends - Receives the outcome, once, and decides what an idle run means.
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
 * Ends a run; only its first end counts.
 *
 * @param run - The run.
 * @param outcome - How it ended.
 */
export function endRun(run: RunState, outcome: StepOutcome): void {
  if (run.ended) return
  run.ended = true
  run.settle.resolve(outcome)
}

/**
 * Ends a run with a failure; only its first end counts.
 *
 * @param run - The run.
 * @param error - The error.
 */
export function failRun(run: RunState, error: unknown): void {
  if (run.ended) return
  run.ended = true
  run.settle.reject(error)
}
