import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WholeRun, WholeStep } from '../../api/generated/resources.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { StatusBadge, shownStepStatus, toneOf } from '../../runs/run-status.tsx'
import { StepIcon, stepKind } from '../../ui/steps/step-kind.tsx'
import { formatDuration } from '../../ui/time-text.tsx'
import { StepRuns } from './family/step-runs.tsx'
import { StepCause } from './step/step-cause.tsx'
import { StepRow } from './step-row.tsx'
import { StepWait } from './step-wait.tsx'
import style from './timeline.module.css'

export interface TimelineStepProps {
  readonly run: WholeRun
  readonly step: WholeStep
  /** The step whose details are shown. */
  readonly openStep: string | undefined
  /** Shows the details of a step. */
  onOpen(stepId: string): void
}

/** Shows a step: its status, its duration or wait, why it did not send, and its details on request. */
export function TimelineStep({ run, step, openStep, onOpen }: TimelineStepProps): ReactNode {
  const { stepId, type, status } = step
  const shownStatus = shownStepStatus(step)
  return (
    <article
      className={`${style['step']} ${ownEntry(style, toneOf(shownStatus))}`}
      data-status={status}
      aria-label={`Step ${stepId}`}
    >
      <span className={style['icon']}>
        <StepIcon type={type} />
      </span>
      <div className={style['content']}>
        <StepRow stepId={stepId} openStep={openStep} onOpen={onOpen} className={style['head']}>
          <span className={style['name']}>{stepId}</span>
          <span className={style['kind']}>{stepKind(type).text}</span>
          <span className={style['end']}>
            <span className={style['took']}>{timeOf(step)}</span>
            <StatusBadge status={shownStatus} ofStep />
            <ChevronRight className={style['chevron']} size={14} aria-hidden />
          </span>
        </StepRow>
        {status === 'delayed' && !isAwaiting(step) && <StepWait run={run} step={step} />}
        <StepRuns run={run} step={step} max={5} />
        <StepCause run={run} step={step} />
      </div>
    </article>
  )
}

/** A step that awaits the runs that it triggered has no end that could be skipped. */
function isAwaiting({ type, stage }: WholeStep): boolean {
  return type === 'trigger' && stage === null
}

function timeOf({ calledAt, endedAt }: WholeStep): string | undefined {
  if (calledAt === null || endedAt === null) return undefined
  return formatDuration(Math.max(0, Date.parse(endedAt) - Date.parse(calledAt)))
}
