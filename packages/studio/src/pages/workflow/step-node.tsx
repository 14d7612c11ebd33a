import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { StepManifest } from '../../api/generated/resources.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { stepKind } from '../../ui/steps/step-kind.tsx'
import style from './workflow.module.css'

export interface StepNodeProps {
  readonly step: StepManifest
  /** The path of its page. */
  readonly to: string
  /** Whether it has problems, or only warnings. */
  readonly faults: 'bad' | 'warn' | undefined
  /** Its position and size, in pixels. */
  readonly place: Readonly<Record<'left' | 'top' | 'width' | 'height', number>>
}

/** A step in the graph, with a link to its page. */
export function StepNode({ step, to, faults, place }: StepNodeProps): ReactNode {
  const { icon: Icon, text, sends } = stepKind(step.type)
  const className = [style['step'], step.conditional && style['conditional'], sends && style['sends']]
  return (
    <Link to={to} className={className.filter(Boolean).join(' ')} style={place}>
      <span className={style['icon']}>
        <Icon size={16} aria-hidden />
      </span>
      <span className={style['words']}>
        <strong>{step.stepId}</strong>
        <span>
          {text}
          {step.conditional && ', conditional'}
        </span>
      </span>
      {faults && (
        <span
          className={ownEntry(style, faults)}
          role="img"
          aria-label={faults === 'bad' ? 'has a problem' : 'has a warning'}
          data-tip={faults === 'bad' ? 'Has a problem' : 'Has a warning'}
        />
      )}
    </Link>
  )
}
