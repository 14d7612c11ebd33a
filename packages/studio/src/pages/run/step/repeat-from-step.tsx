import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { WholeRun, WholeStep } from '../../../api/generated/resources.ts'
import { Button } from '../../../ui/button.tsx'
import style from './step-body.module.css'
import { useRepeat } from './use-repeat.ts'

export interface RepeatFromStepProps {
  readonly run: WholeRun
  readonly step: WholeStep
}

/** Runs the workflow again from a step, with the results of the steps before it. */
export function RepeatFromStep({ run, step }: RepeatFromStepProps): ReactNode {
  const repeat = useRepeat()
  const { reusedFrom, stepId, calledAt } = step
  const canRepeat = run.workflowExists && run.finishedAt !== null && (calledAt !== null || reusedFrom !== null)
  return (
    <>
      {reusedFrom !== null && (
        <p className={style['quiet']}>
          Not run again: its result was copied from <Link to={`/runs/${reusedFrom}`}>an earlier run</Link>.
        </p>
      )}
      {canRepeat && (
        <div>
          <Button
            needs="edit"
            small
            icon={<RotateCcw size={14} />}
            busy={repeat.isPending}
            onClick={() => repeat.send(`/v1/studio/runs/${run._id}/repeat-from-step`, { stepId })}
          >
            Run again from here
          </Button>
        </div>
      )}
    </>
  )
}
