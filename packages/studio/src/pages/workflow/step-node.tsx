import { Handle, type NodeProps, Position } from '@xyflow/react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { StepManifest } from '../../api/generated/resources.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { stepKind } from '../../ui/steps/step-kind.tsx'
import style from './workflow.module.css'

interface StepData {
  readonly step: StepManifest
  readonly to: string
  readonly problems: number
  readonly warnings: number
}

/** A step in the graph, with a link to its page. */
export function StepNode({ data }: NodeProps): ReactNode {
  const { step, to, problems, warnings } = data as unknown as StepData
  const { icon: Icon, text, sends } = stepKind(step.type)
  const fault = problems > 0 ? 'bad' : warnings > 0 ? 'warn' : undefined
  return (
    <>
      <Ends />
      <Link
        to={to}
        className={[style['step'], step.conditional && style['conditional'], sends && style['sends']]
          .filter(Boolean)
          .join(' ')}
      >
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
        {fault && (
          <span
            className={ownEntry(style, fault)}
            role="img"
            aria-label={fault === 'bad' ? 'has a problem' : 'has a warning'}
            data-tip={fault === 'bad' ? 'Has a problem' : 'Has a warning'}
          />
        )}
      </Link>
    </>
  )
}

/** The start or end of a workflow. */
export function EndNode({ data }: NodeProps): ReactNode {
  return (
    <>
      <Ends />
      <span className={style['end']}>{String(data['text'])}</span>
    </>
  )
}

function Ends(): ReactNode {
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} className={style['handle'] ?? ''} />
      <Handle type="source" position={Position.Bottom} isConnectable={false} className={style['handle'] ?? ''} />
    </>
  )
}
