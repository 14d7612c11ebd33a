import type { Deadline } from '../../call/deadline.ts'
import type { StepContext } from '../../workflow/kinds/signature.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import type { RunScope, StepOutcome } from './step-run.ts'

/** A stored result on its way to the code that awaits it. */
export interface StoredResult {
  /** The step. */
  readonly id: string
  /** The result, or a promise of it. */
  readonly value: unknown
  /** Settles when the result was checked; given if a schema takes its time. */
  readonly ready?: Promise<unknown> | undefined
}

/**
 * Delivers the stored results of a run. Results have positions in the order of their completion, from 0, the oldest.
 */
export interface ReplayQueue {
  /** What fulfils the promise of a held result, by position. */
  readonly held: (((value: unknown) => void) | undefined)[]
  /** The held results by position. */
  readonly values: unknown[]
  /** Promises that settle when a held result was checked, by position. */
  readonly checks: (Promise<unknown> | undefined)[]
  /** Whether the function awaits each step where it calls it, so that no result has to be held. */
  readonly isSequential: boolean
  /** How many results are held. */
  heldCount: number
  /** No result is held before this position. */
  lowest: number
  /** The first position that holds back all later ones: its step was not called, or its result is not delivered. */
  next: number
  /** The positions by step id; created if steps are not called in the order of their completion. */
  positions: Map<string, number> | undefined
  /** Whether the next delivery is scheduled. */
  scheduled: boolean
  /** Whether several results were ever held at one time: from then on each delivery has a turn of its own. */
  parallel: boolean
  /** Whether the stored results do not fit the code, so that none holds back another. */
  unfit: boolean
  /** Whether a look after silence is scheduled. */
  watched: boolean
  /** Delivers the oldest result. One function for all deliveries. */
  deliver(): void
}

/** Takes the outcome of a run. */
export interface Settle {
  readonly resolve: (outcome: StepOutcome) => void
  readonly reject: (error: unknown) => void
}

/** What a run is for, which decides what it means that it has come to rest. */
export interface RunGoal {
  /** Schedules a look at whether the run is at rest. */
  watch(run: RunState): void
  /** Called with what the function threw before the step that decides was reached. */
  onThrow(run: RunState, error: unknown): void
}

/** One run of a workflow function, as it stands. */
export interface RunState {
  readonly scope: RunScope
  readonly deadline: Deadline
  /** Takes the outcome; see {@link endRun} and {@link failRun}. */
  readonly settle: Settle
  /** Whether the outcome is set. After it no step call makes progress. */
  ended: boolean
  /** Whether the requested step was called. From then on only it decides. */
  reached: boolean
  /** The goal of the run. */
  readonly goal: RunGoal
  /** The step that decides, if it was called. */
  decisive: StepCall | undefined
  /** Whether the function has returned, or thrown. */
  returned: boolean
  /** Whether a step call after the end is a message that is lost, which the app's developers must know. */
  reportsLateCalls: boolean
  /** Ids of steps that have no stored result; never promises, which would keep what waits for them. */
  readonly waiting: string[]
  /** Counts step calls, so that a verdict about an older situation is thrown away. */
  progress: number
  /** Whether a turn of the event loop has passed since the run started. */
  turnPassed: boolean
  /** Whether the function has awaited something that is no step, as far as this run has shown. */
  awaitedIo: boolean
  /** Whether it is being found out what its rest means. */
  deciding: boolean
  /** Whether a look after the next turn is scheduled. */
  watching: boolean
  /** How many stored results are being checked asynchronously. */
  checking: number
  /** Whether discovery does not know the requested step. */
  unknownStep: boolean
  /** The phase the call is in, for the message at the deadline. */
  phase: string
  /** The context of every step that completed; one object serves all of them. */
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
 * @param scope - What the run works with.
 * @param deadline - When it must have ended.
 * @param ends - Takes the outcome, once, and decides what rest means.
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
 * @param error - What went wrong.
 */
export function failRun(run: RunState, error: unknown): void {
  if (run.ended) return
  run.ended = true
  run.settle.reject(error)
}
