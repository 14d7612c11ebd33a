import type { RunLine, StepReason } from '../api/generated/resources.ts'

/** The most important reason why a run did not send everything. */
export interface MainReason {
  readonly reason: StepReason
  /** The step that the reason concerns; undefined for the run itself. */
  readonly stepId?: string
}

const order = ['failed', 'provider', 'address', 'preference', 'throttle', 'merged', 'canceled', 'skip']

/** Returns the most important reason for a run, failures first; undefined if everything was sent. */
export function mainReasonOf({ reason, steps }: Pick<RunLine, 'reason' | 'steps'>): MainReason | undefined {
  const reasons: MainReason[] = steps.flatMap((step) =>
    step.reason && order.includes(step.reason.kind) ? [{ reason: step.reason, stepId: step.stepId }] : [],
  )
  reasons.sort((left, right) => order.indexOf(left.reason.kind) - order.indexOf(right.reason.kind))
  const first = reasons[0]
  return reason && first?.reason.kind !== 'failed' ? { reason } : first
}
