import { CornerDownRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { LinkedRun, WholeRun } from '../../../api/generated/resources.ts'
import { StatusBadge } from '../../../runs/run-status.tsx'
import { Panel } from '../../../ui/panel.tsx'
import style from './run-tree.module.css'

/** Shows the runs that steps have triggered: the runs above a run, and the runs below it. Empty for a run without any. */
export function RunTree({ run }: { readonly run: WholeRun }): ReactNode {
  const { ancestors, descendants } = run
  if (ancestors.length + descendants.length === 0) return undefined
  const own: LinkedRun = {
    ...run,
    parentRunId: ancestors.at(-1)?._id ?? null,
    stepId: null,
  }
  return (
    <Panel title="Triggered runs">
      <Branch runs={[...ancestors, own, ...descendants]} parentId={undefined} currentId={run._id} />
    </Panel>
  )
}

interface BranchProps {
  readonly runs: readonly LinkedRun[]
  /** The run whose children are shown; `undefined` for the first run. */
  readonly parentId: string | undefined
  /** The run that the page shows. */
  readonly currentId: string
}

function Branch({ runs, parentId, currentId }: BranchProps): ReactNode {
  const [first] = runs
  const own = parentId === undefined ? first && [first] : runs.filter((one) => one.parentRunId === parentId)
  if (!own || own.length === 0) return undefined
  return (
    <ul className={style['branch']}>
      {own.map((one) => (
        <li key={one._id}>
          <span className={style['run']} aria-current={one._id === currentId || undefined}>
            {parentId !== undefined && <CornerDownRight size={14} aria-hidden />}
            {one._id === currentId ? (
              <strong>{one.workflowName}</strong>
            ) : (
              <Link to={`/runs/${one._id}`}>{one.workflowName}</Link>
            )}
            <span className={style['who']}>{one.subscriberId}</span>
            <StatusBadge status={one.status} />
          </span>
          <Branch runs={runs} parentId={one._id} currentId={currentId} />
        </li>
      ))}
    </ul>
  )
}
