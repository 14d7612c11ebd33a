import type { ReactNode } from 'react'
import type { WholeRun } from '../../api/generated/resources.ts'
import { Reason } from '../../runs/reason.tsx'
import { StepIcon } from '../../ui/steps/step-kind.tsx'
import style from './waterfall.module.css'

/** The steps of its workflow that a run has not reached: expected while it runs, else with the reason. */
export function UnreachedSteps({ run }: { readonly run: WholeRun }): ReactNode {
  const { workflowId, subscriberId } = run
  return run.unreached.map(({ stepId, type, reason }) => (
    <li key={stepId} className={`${style['row']} ${style['expected']}`}>
      <span className={style['name']}>
        <StepIcon type={type} size={14} />
        <span>{stepId}</span>
      </span>
      {reason ? (
        <span className={style['unreached']}>
          <Reason reason={reason} workflowId={workflowId} subscriberId={subscriberId} stepId={stepId} />
        </span>
      ) : (
        <>
          <span className={style['track']} />
          <span className={style['took']}>expected</span>
        </>
      )}
    </li>
  ))
}
