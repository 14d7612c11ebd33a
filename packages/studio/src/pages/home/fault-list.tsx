import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { StudioBridge } from '../../api/generated/resources.ts'
import { Badge } from '../../ui/badge.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorCode } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { warningsOf } from '../../workflow/faults.tsx'
import style from './home.module.css'

interface Fault {
  readonly workflowId: string | undefined
  readonly stepId?: string | undefined
  readonly code?: string | undefined
  readonly message: string
  readonly isProblem: boolean
}

const maxFaults = 20

/** Lists problems, then warnings, with links. */
export function FaultList({ state }: { readonly state: StudioBridge }): ReactNode {
  const faults: readonly Fault[] = [
    ...state.problems.map((problem) => ({ workflowId: undefined, ...problem, isProblem: true })),
    ...state.workflows.flatMap((workflow) =>
      warningsOf(workflow).map((warning) => ({ ...warning, workflowId: workflow.workflowId, isProblem: false })),
    ),
  ]
  return (
    <Panel
      title="Needs attention"
      aside={faults.length > 0 && <Badge>{faults.length}</Badge>}
      flush={faults.length > 0}
    >
      {faults.length === 0 && (
        <Empty icon={<CircleCheck size={20} />} title="No problems">
          Discovery found no problems or warnings.
        </Empty>
      )}
      <ul className={style['faults']}>
        {faults.slice(0, maxFaults).map((fault) => (
          <li key={`${fault.workflowId} ${fault.code} ${fault.message}`}>
            <Badge dot tone={fault.isProblem ? 'bad' : 'warn'}>
              {fault.isProblem ? 'problem' : 'warning'}
            </Badge>
            <div>
              <p>{fault.message}</p>
              <p className={style['where']}>
                <Place fault={fault} />
                {fault.code !== undefined && <ErrorCode code={fault.code} />}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {faults.length > maxFaults && (
        <p className={style['source']}>And {faults.length - maxFaults} more, at their workflows.</p>
      )}
    </Panel>
  )
}

function Place({ fault: { workflowId, stepId } }: { readonly fault: Fault }): ReactNode {
  if (workflowId === undefined || workflowId === '') return null
  const workflow = `/workflows/${toPathName(workflowId)}`
  if (stepId === undefined) return <Link to={workflow}>{workflowId}</Link>
  return (
    <Link to={`${workflow}/steps/${toPathName(stepId)}`}>
      {workflowId} / {stepId}
    </Link>
  )
}
