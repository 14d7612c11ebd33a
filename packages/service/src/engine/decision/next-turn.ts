import { isLeftAtEnd } from '@trestle/run-rules'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import { isOver } from './job-view.ts'

/** The columns of a job that show whether a process works on it. */
export type ActiveView = Pick<JobRow, 'id' | 'status' | 'stage' | 'type'>

/** Returns whether a process works on a job, or is about to. When it ends, the bridge is called again. */
export function isActive({ status, stage }: Pick<ActiveView, 'status' | 'stage'>): boolean {
  // A queued message step that is already being sent was deferred by its provider.
  return status === 'running' || (status === 'queued' && stage !== 'sending')
}

/** Returns whether a job was dispatched and has no result yet. Does not include steps that the run did not reach. */
export function isTaken(job: Pick<ActiveView, 'status' | 'stage'>): boolean {
  return !isOver(job) && job.status !== 'pending'
}

/** The columns of a job that determine what comes next. */
export type NextJob = ActiveView & Pick<JobRow, 'stepId' | 'wave'>

/** A step that was dispatched this often without being reached fails. */
const maxDispatches = 5

/** Returns whether a step that was not reached may be dispatched again. */
export function canDispatchAgain({ handOuts }: Pick<JobRow, 'handOuts'>): boolean {
  return handOuts < maxDispatches
}

/**
 * Returns whether the next call of a run only dispatches steps. If a step ends the bridge's process or never returns,
 * the call that ran it cannot name it. A call that runs no step names it, so that only this step fails.
 */
export function onlyDispatches({ nextFailures }: Pick<RunRow, 'nextFailures'>): boolean {
  return nextFailures === 1
}

/** A reply that ran no step. */
export interface QuietReply {
  /** Whether the workflow function has returned. */
  readonly done: boolean
  /** Whether a step was dispatched because of the reply. */
  readonly hasDispatched: boolean
  /** Whether the bridge waited for inactivity before it answered. */
  readonly waited: boolean
  /** The jobs of the run at the time of the call. */
  readonly before: readonly ActiveView[]
  /** The current jobs, including those that were dispatched. */
  readonly now: readonly ActiveView[]
}

/** What follows: another call at once, a wait for a step to end, the end of the run, or nothing, which is an error. */
export type NextTurn = 'again' | 'wait' | 'end' | 'stuck'

/**
 * Decides what follows a reply that ran no step. The reply is ignored if a result was stored since the call, because
 * the bridge did not know it. A reply without a wait for inactivity only counts while a process works on a step.
 *
 * @source bridge-protocol.md#continuing-a-run
 */
export function toNextTurn({ done, hasDispatched, waited, before, now }: QuietReply): NextTurn {
  const ended = new Set(before.filter(isOver).map(({ id }) => id))
  if (now.some((job) => isOver(job) && !ended.has(job.id))) return 'again'
  const active = now.some(isActive)
  if (!waited && !active) return 'again'
  if (done && !active && !now.some((job) => isTaken(job) && !isLeftAtEnd(job.type))) return 'end'
  return hasDispatched || now.some(isTaken) ? 'wait' : 'stuck'
}
