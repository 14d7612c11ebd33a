import type { ReactNode } from 'react'
import type { RunStep } from '../../api/generated/resources.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { shownStepStatus, textOf, toneOf } from '../../runs/run-status.tsx'
import { StepIcon, stepKind } from '../../ui/steps/step-kind.tsx'
import style from './step-strip.module.css'

const maxShown = 10

/** Shows the steps of a run as icons, colored by status. */
export function StepStrip({ steps }: { readonly steps: readonly RunStep[] }): ReactNode {
  const visibleSteps = steps.slice(0, maxShown)
  return (
    <ol className={style['strip']}>
      {visibleSteps.map((step) => {
        const { _id, stepId, type, reason } = step
        const status = shownStepStatus(step)
        const text = `${stepId} (${stepKind(type).text}): ${reason?.message ?? textOf(status)}`
        return (
          <li
            key={_id}
            className={`${style['step']} ${ownEntry(style, toneOf(status))}`}
            data-status={status}
            data-tip={text}
          >
            <StepIcon type={type} size={13} />
            <span className="visually-hidden">{text}</span>
          </li>
        )
      })}
      {steps.length > maxShown && <li className={style['more']}>+{steps.length - maxShown}</li>}
    </ol>
  )
}
