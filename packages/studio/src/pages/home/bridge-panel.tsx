import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { StudioBridge } from '../../api/generated/resources.ts'
import { Panel } from '../../ui/panel.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { warningsOf } from '../../workflow/faults.tsx'
import style from './home.module.css'

/** Shows how many workflows and steps the bridge has. */
export function BridgePanel({ state }: { readonly state: StudioBridge }): ReactNode {
  const { problems, url, lastSync } = state
  const workflows = state.workflows.filter(({ isStored }) => !isStored)
  const steps = workflows.reduce((sum, workflow) => sum + workflow.steps.length, 0)
  const warnings = workflows.reduce((sum, workflow) => sum + warningsOf(workflow).length, 0)
  return (
    <Panel flush>
      <dl className={style['figures']}>
        <div>
          <dt>Workflows</dt>
          <dd>
            <Link to="/workflows">{workflows.length}</Link>
          </dd>
        </div>
        <div>
          <dt>Steps</dt>
          <dd>{steps}</dd>
        </div>
        <div>
          <dt>Problems</dt>
          <dd data-tone={problems.length > 0 ? 'bad' : undefined}>{problems.length}</dd>
        </div>
        <div>
          <dt>Warnings</dt>
          <dd data-tone={warnings > 0 ? 'warn' : undefined}>{warnings}</dd>
        </div>
      </dl>
      <p className={style['source']}>
        From <code>{url}</code>
        {lastSync?.at && (
          <span>
            , read <TimeText at={lastSync.at} />
          </span>
        )}
      </p>
    </Panel>
  )
}
