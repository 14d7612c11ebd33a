import type { ReactNode } from 'react'
import type { WholeRun, WholeStep } from '../../../api/generated/resources.ts'
import { Reason } from '../../../runs/reason.tsx'
import { Notice } from '../../../ui/notice.tsx'
import style from './step-cause.module.css'

export interface StepCauseProps {
  readonly run: WholeRun
  readonly step: WholeStep
}

/** Shows why a step failed or did not send everything. */
export function StepCause(props: StepCauseProps): ReactNode {
  return (
    <>
      <Failed {...props} />
      <NotSent {...props} />
    </>
  )
}

/** The same error often fails every step of a run, so it is shown once. */
function Failed({ run, step: { _id, error } }: StepCauseProps): ReactNode {
  if (!error) return undefined
  const first = run.steps.find((other) => other.error?.code === error.code && other.error?.message === error.message)
  return first && first._id !== _id ? (
    <p className={style['same']}>Failed for the same reason as {first.stepId}.</p>
  ) : (
    <Notice tone="bad" title={error.message ?? 'The step failed'} code={error.code} />
  )
}

/** Shows why a step did not send everything. */
function NotSent({ run, step }: StepCauseProps): ReactNode {
  const { reason, stepId, status } = step
  if (reason === null || status === 'failed') return undefined
  const text = <Reason reason={reason} workflowId={run.workflowId} subscriberId={run.subscriberId} stepId={stepId} />
  if (reason.kind === 'provider') return <Notice tone="bad" title={text} />
  return reason.kind === 'address' ? <Notice tone="warn" title={text} /> : <p className={style['reason']}>{text}</p>
}
