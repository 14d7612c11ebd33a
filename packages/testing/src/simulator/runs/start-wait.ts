import type { TriggerRun } from '../calls/trigger-run.ts'
import { type FollowedRun, leaveSleeping, type TakenStep } from './followed-run.ts'
import { type ExecutedStep, recordStep } from './record-step.ts'
import type { Settlement } from './simulation.ts'
import type { StartedChildren } from './start-children.ts'

/** A step that waits, and what it waits for. */
export interface StartedWait {
  readonly executed: ExecutedStep
  readonly settlement: Settlement
  /** The runs that the step triggered. */
  readonly children?: StartedChildren
}

/**
 * Lets a step wait for its time, an event, or the end of the runs that it triggered.
 *
 * @param follow - Continues a run.
 */
export function startWait(
  followed: FollowedRun,
  { executed, settlement, children }: StartedWait,
  follow: (run: FollowedRun) => Promise<void>,
): void {
  const { simulation, run, taken } = followed
  const { step } = executed
  const { untilMs, awaited, awaitsChildren } = settlement
  const sleeping: TakenStep = { step, asleep: executed, isLeft: false }
  const wake = async (atMs: number, woken: Settlement): Promise<void> => {
    if (sleeping.isLeft) return
    sleeping.isLeft = true
    run.nowMs = atMs
    taken.delete(step.stepId)
    recordStep(run, executed, woken)
    followed.isDue = true
    await follow(followed)
  }
  taken.set(step.stepId, sleeping)
  if (children) {
    sleeping.cancelChildren = children.cancel
    if (awaitsChildren) children.whenEnded((atMs) => wake(atMs, settlement))
  }
  if (untilMs !== undefined) {
    sleeping.setAlarm = (nowMs) => {
      const atMs = Math.max(untilMs, nowMs)
      simulation.alarms.set(atMs, () => wake(atMs, settlement))
    }
    sleeping.setAlarm(run.nowMs)
    if (awaited)
      simulation.events.wait({
        ...{ outputs: awaited, nowMs: run.nowMs, untilMs, received: run.received, triggeredMs: run.trigger.atMs },
        subscriberId: simulation.subscriber.subscriberId,
        wake: (payload, atMs) => wake(atMs, { ...settlement, result: () => ({ received: true, payload }) }),
      })
  }
  if (followed.isClosed) leaveSleeping(followed, toRest(run))
}

/** Returns how sleeping steps end when the run is closed. */
function toRest({ canceled, merged }: TriggerRun): 'canceled' | 'merged' | 'skipped' {
  if (canceled) return 'canceled'
  return merged ? 'merged' : 'skipped'
}
