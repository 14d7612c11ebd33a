import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { StepReason, StudioBridge } from '../api/generated/resources.ts'
import { useBridge } from '../session/bridge.ts'
import { toPathName } from '../ui/path-names.ts'
import style from './reason.module.css'

/** The workflow, recipient and step that a reason concerns. */
export interface ReasonContext {
  /** The workflow of the run. */
  readonly workflowId: string
  /** The recipient of the run. */
  readonly subscriberId: string
  readonly stepId: string
}

/** Shows in one sentence why a step did not send, with a link to the cause. */
export function Reason({ reason, ...context }: ReasonContext & { readonly reason: StepReason }): ReactNode {
  const bridge = useBridge()
  const cause = causeOf(reason, { ...context, workflows: bridge.data?.workflows ?? [] })
  return (
    <>
      {reason.message}{' '}
      {cause && (
        <Link className={style['cause']} to={cause.to}>
          {cause.text}
        </Link>
      )}
    </>
  )
}

interface Cause {
  readonly to: string
  readonly text: string
}

interface CauseContext extends ReasonContext {
  readonly workflows: StudioBridge['workflows']
}

/** Removed workflows and steps have no page. */
function causeOf(reason: StepReason, context: CauseContext): Cause | undefined {
  const { kind, source, runId, tenant, integrationId } = reason
  const { workflowId, subscriberId, stepId } = context
  const workflow = context.workflows.find((one) => one.workflowId === workflowId)
  const workflowPath = `/workflows/${toPathName(workflowId)}`
  const subscriberPath = `/subscribers/${toPathName(subscriberId)}`
  switch (kind) {
    case 'preference':
      if (source === 'subscriber' || source === 'subscriberWorkflow')
        return { to: `${subscriberPath}?tab=preferences`, text: 'Open preferences' }
      if (source === 'tenant')
        return tenant === undefined ? undefined : { to: `/tenants/${toPathName(tenant)}`, text: 'Open tenant' }
      return workflow && { to: workflowPath, text: 'Open workflow' }
    case 'provider':
      return integrationId === undefined
        ? { to: '/integrations', text: 'Open integrations' }
        : { to: `/integrations/${integrationId}`, text: 'Open integration' }
    case 'address':
      return { to: `${subscriberPath}?tab=profile`, text: 'Open subscriber' }
    case 'skip':
    case 'throttle':
    case 'unreached':
      return workflow?.steps.some((step) => step.stepId === stepId)
        ? { to: `${workflowPath}/steps/${toPathName(stepId)}`, text: 'Open step' }
        : undefined
    case 'merged':
    case 'canceled':
      return runId === undefined ? undefined : { to: `/runs/${runId}`, text: 'Open that run' }
    default:
      return undefined
  }
}
