import { Waypoints } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { WholeRun } from '../../api/generated/resources.ts'
import { StatusBadge, shownStatus } from '../../runs/run-status.tsx'
import { useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName, usePathNames } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatDuration, TimeText } from '../../ui/time-text.tsx'
import { isFinal } from './family/is-final.ts'
import { RunTree } from './family/run-tree.tsx'
import { RunActions } from './run-actions.tsx'
import { RunFacts } from './run-facts.tsx'
import style from './run-page.module.css'
import { StepPanel } from './step/step-panel.tsx'
import { Timeline } from './timeline.tsx'
import { Waterfall } from './waterfall.tsx'

const trail = [{ to: '/runs', text: 'Runs' }]
/** Events of the run update the page immediately; polling covers missed ones, and the runs that are linked with it. */
const everyMs = (run: WholeRun | undefined): number | false => (run && isFinal(run, Date.now()) ? false : 5000)

/** Shows a run with live updates. */
export function RunPage(): ReactNode {
  const { runId = '' } = usePathNames<{ runId: string }>()
  const read = useRead<WholeRun>(`/v1/studio/runs/${encodeURIComponent(runId)}`, { everyMs })
  const { data: run, error } = read
  if (run) return <LoadedRun run={run} />
  return (
    <Page title="Run" trail={trail}>
      {error?.details.status === 404 ? (
        <Panel>
          <Empty
            icon={<Waypoints size={20} />}
            title="Run not found"
            action={<ButtonLink to="/runs">All runs</ButtonLink>}
          >
            It may belong to another environment, or have expired.
          </Empty>
        </Panel>
      ) : (
        error && <Failure title="Couldn't load the run" error={error} onRetry={() => void read.refetch()} />
      )}
      {!error && <RunSkeleton />}
    </Page>
  )
}

function LoadedRun({ run }: { readonly run: WholeRun }): ReactNode {
  const address = useAddress()
  const named = address.get('step')
  const step = run.steps.find(({ stepId }) => stepId === named)
  const open = (stepId: string): void => address.choose({ step: stepId })
  const close = (): void => {
    const row = document.querySelector<HTMLElement>('[data-rows] [aria-current="true"]')
    address.choose({ step: undefined })
    row?.focus()
  }
  return (
    <Page
      title={run.workflowName}
      tabTitle={`${run.workflowName} for ${run.subscriberId}`}
      trail={trail}
      aside={<StatusBadge status={shownStatus(run)} />}
      lead={<Lead run={run} />}
      actions={<RunActions run={run} />}
      wide
    >
      <div className={step ? style['split'] : style['columns']}>
        <div className={style['main']}>
          <Waterfall run={run} openStep={step?.stepId} onOpen={open} />
          <Timeline run={run} openStep={step?.stepId} onOpen={open} />
          <RunTree run={run} />
          {step && <RunFacts run={run} />}
        </div>
        {step ? <StepPanel run={run} step={step} onOpen={open} onClose={close} /> : <RunFacts run={run} />}
      </div>
    </Page>
  )
}

function Lead({ run }: { readonly run: WholeRun }): ReactNode {
  const { subscriberId, createdAt, finishedAt, ancestors } = run
  const parent = ancestors.at(-1)
  return (
    <>
      For <Link to={`/subscribers/${toPathName(subscriberId)}`}>{subscriberId}</Link>, started{' '}
      <TimeText at={createdAt} />
      {parent && (
        <>
          {' '}
          by <Link to={`/runs/${parent._id}`}>{parent.workflowName}</Link>
        </>
      )}
      {finishedAt !== null && <>, took {formatDuration(Date.parse(finishedAt) - Date.parse(createdAt))}</>}
    </>
  )
}

function RunSkeleton(): ReactNode {
  return (
    <div className={style['columns']}>
      <Panel>
        <Skeleton rows={4} height={56} />
      </Panel>
      <Panel>
        <Skeleton rows={6} />
      </Panel>
    </div>
  )
}
