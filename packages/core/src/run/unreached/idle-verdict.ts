import type { Deadline } from '../../call/deadline.ts'

/** The verdict on a run that is idle and has not reached the requested step. */
export interface IdleVerdict {
  /**
   * `passed`: what waits comes after the step, whose condition was false. `blocked`: a step that waits must come
   * first. `parallel`: what waits says nothing about the step. `unknown`: discovery has never seen the step. `open`: the
   * step can still be reached, or nobody can tell.
   */
  readonly verdict: 'passed' | 'blocked' | 'parallel' | 'unknown' | 'open'
  /** The step that must come first, where the verdict is `blocked`. */
  readonly blockedBy?: string
  /** Whether discovery saw the function await nothing but steps. */
  readonly awaitsOnlySteps: boolean
  /** Whether discovery saw a run that calls both the step and one that waits. */
  readonly observed?: boolean
  /** Whether runs of discovery have called the step and all those that wait, together or not. */
  readonly allSeen?: boolean
}

/** When judging is over. */
export interface ClassifyOptions {
  /** Beyond it nothing is replayed. */
  readonly deadline: Deadline
  /** Whether nobody waits for the verdict any more. */
  isOver(): boolean
}
