import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { WholeRun, WholeStep } from '../../../api/generated/resources.ts'
import { StatusBadge } from '../../../runs/run-status.tsx'
import style from './run-tree.module.css'

export interface StepRunsProps {
  /** The run. */
  readonly run: WholeRun
  /** The step. */
  readonly step: WholeStep
}

/** The maximum number of runs that are listed under a step. */
const maxShown = 10

/** Shows the runs that a step has triggered. */
export function StepRuns({ run, step }: StepRunsProps): ReactNode {
  const own = run.descendants.filter(({ parentRunId, stepId }) => parentRunId === run._id && stepId === step.stepId)
  if (own.length === 0) return undefined
  const ended = own.filter(({ status }) => status !== 'running').length
  return (
    <div>
      {step.status === 'delayed' && (
        <p>
          Waits for the runs that it triggered: {ended} of {own.length} have ended
        </p>
      )}
      <ul className={style['branch']} aria-label={`Runs triggered by ${step.stepId}`}>
        {own.slice(0, maxShown).map((one) => (
          <li key={one._id} className={style['run']}>
            <Link to={`/runs/${one._id}`}>{one.workflowName}</Link>
            <span className={style['who']}>{one.subscriberId}</span>
            <StatusBadge status={one.status} />
          </li>
        ))}
        {own.length > maxShown && <li className={style['who']}>and {own.length - maxShown} more</li>}
      </ul>
    </div>
  )
}
