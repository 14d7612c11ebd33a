import type { Deadline } from '../../call/deadline.ts'
import type { StepContext } from '../../workflow/kinds/signature.ts'
import type { RunScope, StepOutcome } from './step-run.ts'

/** One run of a workflow function, as it stands. The only mutable thing in this room. */
export interface RunState {
  readonly scope: RunScope
  readonly deadline: Deadline
  /** Ends the run; only the first time counts. */
  end(outcome: StepOutcome): void
  /** Ends the run with a failure; only the first end counts. */
  fail(error: unknown): void
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
}

/**
 * Creates the state of a run that has not started.
 *
 * @param scope - What the run works with.
 * @param deadline - When it must have ended.
 * @param settle - Takes the outcome, once.
 */
export function createRunState(
  scope: RunScope,
  deadline: Deadline,
  settle: { readonly resolve: (outcome: StepOutcome) => void; readonly reject: (error: unknown) => void },
): RunState {
  const state: RunState = {
    scope,
    deadline,
    end(outcome) {
      if (state.ended) return
      state.ended = true
      settle.resolve(outcome)
    },
    fail(error) {
      if (state.ended) return
      state.ended = true
      settle.reject(error)
    },
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
  }
  return state
}
