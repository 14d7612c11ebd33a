import { Dialog } from '@base-ui/react/dialog'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import type { WholeRun, WholeStep } from '../../../api/generated/resources.ts'
import { StatusBadge, shownStepStatus } from '../../../runs/run-status.tsx'
import { Button } from '../../../ui/button.tsx'
import { StepIcon, stepKind } from '../../../ui/steps/step-kind.tsx'
import { firstTab, StepBody, type StepTabsProps } from './step-body.tsx'
import style from './step-panel.module.css'

export interface StepPanelProps {
  readonly run: WholeRun
  readonly step: WholeStep
  /** Shows another step. */
  onOpen(stepId: string): void
  onClose(): void
}

/** On wide windows, the details of a step are next to the steps; otherwise they cover them. */
const narrow = '(width < 1080px)'

/** Shows the details of a step next to the waterfall; on narrow windows as a sheet. */
export function StepPanel(props: StepPanelProps): ReactNode {
  const isNarrow = useMedia(narrow)
  // The next step is shown in the same tab, so that steps can be compared.
  const [tab, onTab] = useState(firstTab)
  const tabs = { tab, onTab }
  return isNarrow ? <Sheet {...props} {...tabs} /> : <Side {...props} {...tabs} />
}

type ContentProps = StepPanelProps & Pick<StepTabsProps, 'tab' | 'onTab'>

function Side(props: ContentProps): ReactNode {
  useEscape(props.onClose)
  return (
    <aside className={style['side']} aria-label={`Details of step ${props.step.stepId}`}>
      <Content {...props} />
    </aside>
  )
}

function Sheet(props: ContentProps): ReactNode {
  return (
    <Dialog.Root open onOpenChange={(open: boolean) => !open && props.onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={style['backdrop']} />
        <Dialog.Popup className={style['sheet']} aria-label={`Details of step ${props.step.stepId}`}>
          <Content {...props} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Content({ run, step, onOpen, onClose, tab, onTab }: ContentProps): ReactNode {
  const at = run.steps.indexOf(step)
  const [previous, next] = [run.steps[at - 1], run.steps[at + 1]]
  return (
    <>
      <header className={style['head']}>
        <StepIcon type={step.type} size={16} />
        <h2>{step.stepId}</h2>
        <span className={style['kind']}>{stepKind(step.type).text}</span>
        <StatusBadge status={shownStepStatus(step)} ofStep />
        <span className={style['buttons']}>
          <Button
            variant="quiet"
            small
            aria-label="Previous step"
            icon={<ChevronUp size={16} />}
            disabled={!previous}
            onClick={() => previous && onOpen(previous.stepId)}
          />
          <Button
            variant="quiet"
            small
            aria-label="Next step"
            icon={<ChevronDown size={16} />}
            disabled={!next}
            onClick={() => next && onOpen(next.stepId)}
          />
          <Button variant="quiet" small aria-label="Close" icon={<X size={16} />} onClick={onClose} />
        </span>
      </header>
      <div className={style['body']}>
        <StepBody key={step._id} run={run} step={step} tab={tab} onTab={onTab} />
      </div>
    </>
  )
}

/** Escape belongs to an open dialog or menu first. */
function useEscape(onClose: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (!document.querySelector('[role="dialog"], [role="menu"]')) onClose()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [onClose])
}

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (notify) => {
      const media = matchMedia(query)
      media.addEventListener('change', notify)
      return () => media.removeEventListener('change', notify)
    },
    () => matchMedia(query).matches,
  )
}
