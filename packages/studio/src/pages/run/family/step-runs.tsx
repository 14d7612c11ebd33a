import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { LinkedRun, WholeRun, WholeStep } from '../../../api/generated/resources.ts'
import { StatusBadge } from '../../../runs/run-status.tsx'
import style from './run-tree.module.css'

export interface StepRunsProps {
  /** The run. */
  readonly run: WholeRun
  /** The step. */
  readonly step: WholeStep
  /** The maximum number of runs that are listed. */
  readonly max: number
}

/** Shows the runs that a step has triggered, or merged into its digest. */
export function StepRuns({ run, step, max }: StepRunsProps): ReactNode {
  const { stepId, status } = step
  const own = run.descendants.filter((one) => one.parentRunId === run._id && one.stepId === stepId)
  const merged = run.mergedRuns.filter((one) => one.stepId === stepId)
  const ended = own.filter((one) => one.status !== 'running').length
  return (
    <>
      {own.length > 0 && (
        <div>
          {status === 'delayed' && (
            <p>
              Waits for the runs that it triggered: {ended} of {own.length} have ended
            </p>
          )}
          <List label={`Runs triggered by ${stepId}`} runs={own} max={max} />
        </div>
      )}
      {merged.length > 0 && (
        <div>
          <p>{merged.length === 1 ? 'Includes 1 merged run' : `Includes ${merged.length} merged runs`}</p>
          <List label={`Runs merged into ${stepId}`} runs={merged} max={max} />
        </div>
      )}
    </>
  )
}

interface ListProps extends Pick<StepRunsProps, 'max'> {
  /** The accessible label. */
  readonly label: string
  readonly runs: readonly LinkedRun[]
}

function List({ label, runs, max }: ListProps): ReactNode {
  return (
    <ul className={style['branch']} aria-label={label}>
      {runs.slice(0, max).map((one) => (
        <li key={one._id} className={style['run']}>
          <Link to={`/runs/${one._id}`}>{one.workflowName}</Link>
          <span className={style['who']}>{one.subscriberId}</span>
          <StatusBadge status={one.status} />
        </li>
      ))}
      {runs.length > max && <li className={style['who']}>and {runs.length - max} more</li>}
    </ul>
  )
}
