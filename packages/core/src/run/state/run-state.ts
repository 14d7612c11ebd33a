import type { Deadline } from '../../call/deadline.ts'
import type { StepContext } from '../../workflow/kinds/signature.ts'
import type { RunScope, StepOutcome } from './step-run.ts'

/** A stored result that its step call waits for. */
export interface QueuedResult {
  /** The step. */
  readonly id: string
  /** Fulfils the step's promise. */
  release(): void
  /** Settles when the result was checked, where a schema takes its time. */
  readonly ready?: Promise<unknown> | undefined
}

/** The stored results of a run that are not yet given to the code that waits for them. */
export interface ReplayQueue {
  /** In the order of the step calls. */
  readonly open: QueuedResult[]
  /** How many entries of the state, newest first, have not had their turn. */
  next: number
  /** Whether the code that took the last result has run. */
  isAlone: boolean
  /** Whether several were ever open at one time: from then on each is given a turn of its own. */
  isOrdered: boolean
  /** Whether the next release is already asked for. */
  scheduled: boolean
  /** Settles when the result that was given last was checked; the next one comes after it. */
  pending?: Promise<unknown> | undefined
  /** Notes that the code which called the last step has come to rest. */
  rest(): void
}

/** Takes the outcome of a run. */
export interface Settle {
  readonly resolve: (outcome: StepOutcome) => void
  readonly reject: (error: unknown) => void
}

/** One run of a workflow function, as it stands. The only mutable thing in this room. */
export interface RunState {
  readonly scope: RunScope
  readonly deadline: Deadline
  /** Takes the outcome; see {@link endRun} and {@link failRun}. */
  readonly settle: Settle
  /** Whether the outcome is set. After it no step call makes progress. */
  ended: boolean
  /** Whether the requested step was called. From then on only it decides. */
  reached: boolean
  /** Whether the function has returned. */
  returned: boolean
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
  /** Whether a look at the next turn is already asked for. */
  watching: boolean
  /** How many stored results are being checked asynchronously. */
  checking: number
  /** Whether discovery does not know the requested step. */
  unknownStep: boolean
  /** The phase the call is in, for the message at the deadline. */
  phase: string
  /** The context of every step that completed; one object serves all of them. */
  completed: StepContext | undefined
  /** The stored results that are not yet given out; made at first need. */
  replay: ReplayQueue | undefined
}

/**
 * Creates the state of a run that has not started.
 *
 * @param scope - What the run works with.
 * @param deadline - When it must have ended.
 * @param settle - Takes the outcome, once.
 */
export function createRunState(scope: RunScope, deadline: Deadline, settle: Settle): RunState {
  return {
    scope,
    deadline,
    settle,
    ended: false,
    reached: false,
    returned: false,
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
