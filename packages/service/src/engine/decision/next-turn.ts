import type { JobRow, RunRow } from '../../store/schema/run.ts'
import { isOver } from './job-view.ts'

/** The part of a job that says whether a process works on it. */
export type ActiveView = Pick<JobRow, 'id' | 'status' | 'stage' | 'type'>

/**
 * Returns whether a process works on a job, or is about to: its end brings the next call. All others sleep.
 *
 * @param job - The job.
 */
export function isActive({ status, stage }: Pick<ActiveView, 'status' | 'stage'>): boolean {
  // A message that is queued while its step is sending was put off by its provider.
  return status === 'running' || (status === 'queued' && stage !== 'sending')
}

/**
 * Returns whether a job was handed out and has no result yet. A step that was not reached is neither.
 *
 * @param job - The job.
 */
export function isTaken(job: Pick<ActiveView, 'status' | 'stage'>): boolean {
  return !isOver(job) && job.status !== 'pending'
}

/** A job of a run as it counts for what comes next. */
export type NextJob = ActiveView & Pick<JobRow, 'stepId' | 'wave'>

/** A step that is handed out this often without being reached fails. */
const maxDispatches = 5

/**
 * Returns whether a step that was not reached may be handed out once more.
 *
 * @param job - The step's job.
 */
export function canDispatchAgain({ handOuts }: Pick<JobRow, 'handOuts'>): boolean {
  return handOuts < maxDispatches
}

/**
 * Returns whether the next call of a run only hands out steps. A step that ends its process, or never ends, cannot be named by
 * the call that ran it: it is named by a call that runs none, and then fails alone.
 *
 * @param run - The run.
 */
export function onlyDispatches({ nextFailures }: Pick<RunRow, 'nextFailures'>): boolean {
  return nextFailures === 1
}

/** A reply that ran no step. */
export interface QuietReply {
  /** Whether the workflow function has returned. */
  readonly done: boolean
  /** Whether the reply handed out a step. */
  readonly hasDispatched: boolean
  /** Whether the call waited for silence before it was answered. */
  readonly waited: boolean
  /** The jobs of the run when the call was made. */
  readonly before: readonly ActiveView[]
  /** The jobs now, with those that were handed out. */
  readonly now: readonly ActiveView[]
}

/** What follows: another call at once, a wait for the end of a step, the end of the run, or nothing that could follow. */
export type NextTurn = 'again' | 'wait' | 'end' | 'stuck'

/**
 * Decides what follows a reply that ran no step. It counts only if no result was stored since the call was made: the bridge
 * has answered without it. A reply that came without a wait for silence counts only while a process works on a step.
 *
 * @param reply - The reply.
 * @source bridge-protocol.md#continuing-a-run
 */
export function toNextTurn({ done, hasDispatched, waited, before, now }: QuietReply): NextTurn {
  const ended = new Set(before.filter(isOver).map(({ id }) => id))
  if (now.some((job) => isOver(job) && !ended.has(job.id))) return 'again'
  const active = now.some(isActive)
  if (!waited && !active) return 'again'
  if (done && !active && !now.some((job) => isTaken(job) && job.type !== 'delay')) return 'end'
  return hasDispatched || now.some(isTaken) ? 'wait' : 'stuck'
}
