import { isOfClass } from '@trestle/protocol'
import { addDescriptions } from '../calls/run-context.ts'
import { cancelRun, type FollowedRun, hasEnded, openRun } from './followed-run.ts'
import { type ExecutedStep, recordEnd } from './record-step.ts'
import type { Settlement } from './simulation.ts'

/**
 * Cancels a step of a canceled run, which triggers no further runs.
 *
 * @param executed - The call of the step.
 * @returns Whether the step was canceled.
 */
export function cancelTrigger({ run, taken }: FollowedRun, executed: ExecutedStep): boolean {
  const { step, answer } = executed
  if (!run.canceled || !isOfClass(step.type, 'trigger') || !answer.reply) return false
  taken.delete(step.stepId)
  recordEnd(run, step, { status: 'canceled', executed })
  return true
}

/** The runs that a step triggered. */
export interface StartedChildren {
  /** Calls back once all have ended, with the time of the last end. */
  readonly whenEnded: (ring: (atMs: number) => Promise<void>) => void
  readonly cancel: (atMs: number) => void
}

/**
 * Starts the runs that a step triggered.
 *
 * @param settlement - The consequence of the step's reply.
 * @param follow - Continues a run.
 */
export function startChildren(
  { simulation, run }: FollowedRun,
  { children = [] }: Settlement,
  follow: (child: FollowedRun) => Promise<void>,
): StartedChildren {
  const { alarms, childrenOf } = simulation
  childrenOf.set(run, [...(childrenOf.get(run) ?? []), ...children])
  const started = children.map((child) => openRun(child.simulation, child.run))
  for (const child of started)
    alarms.set(run.nowMs, async () => {
      const { workflow } = child.simulation
      await addDescriptions(
        child.simulation,
        workflow.steps.filter(({ reached }) => reached !== false),
      )
      await follow(child)
    })
  return {
    cancel: (atMs) => {
      for (const child of started) cancelRun(child, atMs)
    },
    whenEnded: (ring) => {
      for (const child of started)
        child.run.onEnd = () => {
          if (!started.every(hasEnded)) return
          const endMs = Math.max(...started.map((one) => one.run.nowMs))
          alarms.set(endMs, () => ring(endMs))
        }
    },
  }
}
