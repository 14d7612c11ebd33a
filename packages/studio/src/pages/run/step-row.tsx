import type { ReactNode } from 'react'

export interface StepRowProps {
  readonly stepId: string
  /** The step whose details are shown. */
  readonly openStep: string | undefined
  /** Shows the details of a step. */
  onOpen(stepId: string): void
  /** The class of the row. */
  readonly className: string | undefined
  /** What the row shows. */
  readonly children: ReactNode
}

/** A row that shows the details of its step. While details are shown, they follow the focused row. */
export function StepRow({ stepId, openStep, onOpen, className, children }: StepRowProps): ReactNode {
  const isOpen = openStep === stepId
  return (
    <button
      type="button"
      className={className}
      aria-current={isOpen || undefined}
      data-row
      onFocus={() => openStep !== undefined && !isOpen && onOpen(stepId)}
      onClick={() => onOpen(stepId)}
    >
      {children}
    </button>
  )
}
