import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { RunLine, StepReason } from '../api/generated/resources.ts'
import { toPathName } from '../ui/path-names.ts'

/** What a reason refers to. */
export interface ReasonContext {
  /** The workflow of the run. */
  readonly workflowId: string
  /** The recipient of the run. */
  readonly subscriberId: string
  /** The step. */
  readonly stepId?: string | undefined
}

/** Shows in one sentence why a step did not send, with a link to the cause. */
export function Reason({ reason, ...context }: ReasonContext & { readonly reason: StepReason }): ReactNode {
  const cause = causeOf(reason, context)
  return (
    <>
      {reason.message} {cause && <Link to={cause.to}>{cause.text}</Link>}
    </>
  )
}

interface Cause {
  readonly to: string
  readonly text: string
}

function causeOf({ kind, source, runId, code }: StepReason, context: ReasonContext): Cause | undefined {
  const { workflowId, subscriberId, stepId } = context
  const workflow = `/workflows/${toPathName(workflowId)}`
  const subscriber = `/subscribers/${toPathName(subscriberId)}`
  switch (kind) {
    case 'preference':
      return source === 'subscriber' || source === 'subscriberWorkflow'
        ? { to: `${subscriber}?tab=preferences`, text: 'Open preferences' }
        : { to: workflow, text: 'Open workflow' }
    case 'address':
      return { to: `${subscriber}?tab=profile`, text: 'Open subscriber' }
    case 'skip':
    case 'throttle':
    case 'unreached':
      return stepId === undefined ? undefined : { to: `${workflow}/steps/${toPathName(stepId)}`, text: 'Open step' }
    case 'merged':
      return runId === undefined ? undefined : { to: `/runs/${runId}`, text: 'Open that run' }
    case 'failed':
      return code === undefined ? undefined : { to: `/errors/${toPathName(code)}`, text: code }
    default:
      return undefined
  }
}

/** The first thing that kept a run from sending everything. */
export interface MainReason {
  /** Why. */
  readonly reason: StepReason
  /** The step it is about; none for the run itself. */
  readonly stepId?: string
}

const order = ['failed', 'provider', 'address', 'preference', 'throttle', 'merged', 'canceled', 'skip']

/** Returns the most important reason of a run, failures first; undefined if everything was sent. */
export function mainReasonOf({ reason, steps }: Pick<RunLine, 'reason' | 'steps'>): MainReason | undefined {
  const reasons: MainReason[] = steps.flatMap((step) =>
    step.reason && order.includes(step.reason.kind) ? [{ reason: step.reason, stepId: step.stepId }] : [],
  )
  reasons.sort((left, right) => order.indexOf(left.reason.kind) - order.indexOf(right.reason.kind))
  const first = reasons[0]
  return reason && first?.reason.kind !== 'failed' ? { reason } : first
}
