import { Play, Waypoints } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import type { RunLine } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import { useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CursorList } from '../../ui/data/cursor-list.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { NoRunYet } from './no-run-yet.tsx'
import { filterNames, RunFilters } from './run-filters.tsx'
import { StatusBadge, shownStatus } from './run-status.tsx'
import { StepStrip } from './step-strip.tsx'

const pageSize = 20
const path = '/v1/studio/runs'

const columns: readonly Column<RunLine>[] = [
  {
    key: 'workflow',
    title: 'Workflow',
    show: ({ _id, workflowName }) => <Link to={`/runs/${_id}`}>{workflowName}</Link>,
  },
  {
    key: 'subscriber',
    title: 'Subscriber',
    show: ({ subscriberId }) => <Link to={`/subscribers/${toPathName(subscriberId)}`}>{subscriberId}</Link>,
  },
  { key: 'steps', title: 'Steps', wideOnly: true, show: ({ steps }) => <StepStrip steps={steps} /> },
  { key: 'status', title: 'State', show: (run) => <StatusBadge status={shownStatus(run)} /> },
  { key: 'at', title: 'Began', wideOnly: true, end: true, show: ({ createdAt }) => <TimeText at={createdAt} /> },
]

/** Lists runs, the newest first, as they stand now. */
export function RunsPage(): ReactNode {
  const address = useAddress()
  const filters = Object.fromEntries(filterNames.map((name) => [name, address.get(name)]))
  const runs = useRead<CursorPage<RunLine>>(path, {
    query: { ...filters, ...address.cursor, limit: pageSize },
    keep: true,
  })
  const { transactionId, ...others } = filters
  const isAlone = Object.values(others).every((value) => value === undefined)
  useOnlyRun(isAlone ? transactionId : undefined, runs.data)
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return (
    <Page
      title="Runs"
      lead="Workflow runs, live."
      actions={
        <ButtonLink to="/trigger" variant="primary" icon={<Play size={15} />}>
          Trigger a workflow
        </ButtonLink>
      }
    >
      <RunFilters address={address} />
      {runs.error && <Failure title="Couldn't load the runs" error={runs.error} onRetry={() => void runs.refetch()} />}
      <Panel flush>
        {runs.data ? (
          <RunTable page={runs.data} isFiltered={isFiltered} address={address} />
        ) : (
          !runs.error && <ListSkeleton />
        )}
      </Panel>
    </Page>
  )
}

/**
 * One run of a transaction is shown as soon as it is there: whoever triggered it wants to follow it. One that is left by
 * other filters is looked for in the list.
 */
function useOnlyRun(transactionId: string | undefined, page: CursorPage<RunLine> | undefined): void {
  const [, navigate] = useLocation()
  const only = transactionId !== undefined && page?.totalCount === 1 ? page.data[0]?._id : undefined
  useEffect(() => {
    if (only !== undefined) navigate(`/runs/${only}`, { replace: true })
  }, [only, navigate])
}

interface RunTableProps {
  readonly page: CursorPage<RunLine>
  readonly isFiltered: boolean
  readonly address: ReturnType<typeof useAddress>
}

function RunTable({ page, isFiltered, address }: RunTableProps): ReactNode {
  const empty = <NoRuns isFiltered={isFiltered} address={address} />
  return (
    <CursorList page={page} address={address} nouns={['run', 'runs']} empty={empty}>
      <Table label="Runs" columns={columns} rows={page.data} keyOf={({ _id }) => _id} />
    </CursorList>
  )
}

function NoRuns({ isFiltered, address }: Omit<RunTableProps, 'page'>): ReactNode {
  const icon = <Waypoints size={20} />
  const transactionId = address.get('transactionId')
  // Other filters may leave out runs that are there.
  const isAlone = filterNames.every((name) => name === 'transactionId' || address.get(name) === undefined)
  if (transactionId !== undefined && isAlone) return <NoRunYet transactionId={transactionId} />
  if (!isFiltered)
    return (
      <Empty icon={icon} title="No runs yet" action={<ButtonLink to="/trigger">Trigger a workflow</ButtonLink>}>
        Trigger a workflow here, or from your app with <code>workflow.trigger()</code>. Its runs appear here at once.
      </Empty>
    )
  const clear = (): void => address.choose(Object.fromEntries(filterNames.map((name) => [name, undefined])))
  return (
    <Empty icon={icon} title="No matching runs" action={<Button onClick={clear}>Clear the filters</Button>}>
      Finished runs are kept for 30 days, unless the service is configured with another <code>retentionMs</code>.
    </Empty>
  )
}

function ListSkeleton(): ReactNode {
  return (
    <div style={{ padding: 'var(--s4)' }}>
      <Skeleton rows={8} height={28} />
    </div>
  )
}
