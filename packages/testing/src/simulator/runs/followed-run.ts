import { isOfClass, type OpenStep } from '@trestle/protocol'
import type { StepFailure } from '../../report/run-report.ts'
import type { TriggerRun } from '../calls/trigger-run.ts'
import { dropResult, type ExecutedStep, recordEnd } from './record-step.ts'
import type { Simulation } from './simulation.ts'

/** A step that the bridge returned and that has no result yet. */
export interface TakenStep {
  readonly step: OpenStep
  /** The call that started the step's wait; `undefined` while the step is being called. */
  asleep?: ExecutedStep
  /** Whether its wait was canceled. It stays in the list, so that the bridge does not return it again. */
  isLeft?: boolean
  /** Cancels the runs that the step awaits. */
  cancelChildren?: (atMs: number) => void
  /** Lets its wait end at its time, or now if that has passed. */
  setAlarm?: (nowMs: number) => void
}

export interface FollowedRun {
  /** The workflow, and the state shared by its triggers. */
  readonly simulation: Simulation
  readonly run: TriggerRun
  /** The steps that the bridge returned, by id. */
  readonly taken: Map<string, TakenStep>
  /** How many times a step was returned without being reached, by id. */
  readonly missed: Map<string, number>
  readonly pending: Set<Promise<void>>
  /** The digests that merged its event, by step id. */
  readonly joined: Map<string, ExecutedStep>
  /** Whether anything has changed since the next steps were last requested. */
  isDue: boolean
  /** Whether a request for the next steps is in progress; there is at most one. */
  isAsking: boolean
  /** Whether calls to the bridge have stopped. */
  isClosed: boolean
  /** How long the next call waits for inactivity, in milliseconds. */
  silenceMs: number
}

/**
 * Creates the progress of a run that has not started. Events can cancel it from now on.
 *
 * @param simulation - The workflow, and the state shared by its triggers.
 */
export function openRun(simulation: Simulation, run: TriggerRun): FollowedRun {
  const status = { isDue: true, isAsking: false, isClosed: false, silenceMs: 0 }
  const followed: FollowedRun = {
    ...{ simulation, run, taken: new Map(), missed: new Map(), pending: new Set(), joined: new Map(), ...status },
  }
  simulation.events.watch({
    cancelOn: simulation.workflow.cancelOn ?? [],
    payload: run.trigger.payload,
    subscriberId: simulation.subscriber.subscriberId,
    sinceMs: run.trigger.atMs,
    cancel: (atMs) => cancelRun(followed, atMs),
  })
  return followed
}

/** Returns whether a step is being called. */
export function isCalling({ taken }: FollowedRun): boolean {
  return [...taken.values()].some(({ asleep }) => !asleep)
}

/** Returns whether a step is waiting and its wait was not canceled. */
export function isSleeping({ taken }: FollowedRun): boolean {
  return [...taken.values()].some(({ asleep, isLeft }) => asleep && !isLeft)
}

/**
 * Ends waiting steps. A step that awaits the runs that it triggered only ends with them, or if its run is canceled. A
 * digest with events of other runs continues in one of these runs.
 *
 * @param isLeft - Selects the steps. @default all
 */
export function leaveSleeping(
  { simulation, run, taken }: FollowedRun,
  status: 'skipped' | 'merged' | 'canceled',
  isLeft: (step: OpenStep) => boolean = () => true,
): void {
  for (const sleeping of taken.values()) {
    const { step, asleep } = sleeping
    if (!asleep || sleeping.isLeft || !isLeft(step)) continue
    if (status !== 'canceled' && isOfClass(step.type, 'trigger')) continue
    sleeping.isLeft = true
    recordEnd(run, step, { status, executed: asleep })
    simulation.digests.leave(run.trigger.id, { stepId: step.stepId, atMs: run.nowMs })
    if (status === 'canceled') sleeping.cancelChildren?.(run.nowMs)
  }
}

/**
 * Ends a run because of one of its steps: a throttle, or a digest opened by another run.
 *
 * @param rest - The final status of the waiting steps.
 */
export function closeRun(followed: FollowedRun, rest: 'skipped' | 'merged'): void {
  followed.run.merged ||= rest === 'merged'
  followed.isClosed = true
  leaveSleeping(followed, rest)
}

/**
 * Reopens a run whose event was merged: it waits for the digest in the place of the run that opened it.
 *
 * @param stepId - The digest.
 * @param atMs - The time, milliseconds since 1970.
 */
export function reopenRun(followed: FollowedRun, stepId: string, atMs: number): void {
  const { run, taken, joined } = followed
  joined.delete(stepId)
  dropResult(run, stepId)
  run.merged = joined.size > 0
  run.nowMs = atMs
  followed.isClosed = false
  followed.isDue = true
  for (const sleeping of taken.values()) {
    const { step } = sleeping
    if (run.reports.get(step.stepId)?.status !== 'merged') continue
    run.reports.set(step.stepId, undefined)
    sleeping.isLeft = false
    // The events of a digest were passed on, so the digest is called again.
    if (step.type === 'digest') taken.delete(step.stepId)
    else sleeping.setAlarm?.(atMs)
  }
}

/** Ends a run with a failure outside its steps. */
export function failRun(followed: FollowedRun, failure: StepFailure): void {
  followed.run.failure ??= failure
  followed.isClosed = true
  leaveSleeping(followed, 'skipped')
}

/**
 * Cancels a run because of an event, or because the run that awaits it is canceled. Does nothing for a run that has ended,
 * unless an open digest still has its event.
 *
 * @param atMs - The time, milliseconds since 1970.
 */
export function cancelRun(followed: FollowedRun, atMs: number): void {
  const { simulation, run, taken, joined } = followed
  const left = [...joined].filter(([stepId]) => simulation.digests.leave(run.trigger.id, { stepId, atMs }))
  if (followed.isClosed && left.length === 0) return
  run.nowMs = atMs
  run.canceled = true
  for (const [stepId, executed] of left) {
    joined.delete(stepId)
    dropResult(run, stepId)
    recordEnd(run, executed.step, { status: 'canceled', executed })
  }
  for (const { step, asleep } of taken.values())
    if (asleep && run.reports.get(step.stepId)?.status === 'merged')
      recordEnd(run, step, { status: 'canceled', executed: asleep })
  run.merged = joined.size > 0
  followed.isClosed = true
  leaveSleeping(followed, 'canceled')
  noteEnd(followed)
}

/** Returns whether a run has ended: no more calls are made, and no step is left. */
export function hasEnded(followed: FollowedRun): boolean {
  return followed.isClosed && followed.pending.size === 0 && !isSleeping(followed)
}

/** Reports the end of a run. */
export function noteEnd(followed: FollowedRun): void {
  if (hasEnded(followed)) followed.run.onEnd?.()
}
