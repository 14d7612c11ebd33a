import { ArrowUp, Play, Waypoints } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import type { RunLine } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import { type AddressState, useAddress } from '../../session/address.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CursorList } from '../../ui/data/cursor-list.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { NoRunYet } from './no-run-yet.tsx'
import { RepeatAll } from './repeat-all.tsx'
import { RunFilters } from './run-filters.tsx'
import { RunListMenu } from './run-list-menu.tsx'
import { filterNames, useRunQuery } from './run-query.ts'
import { RunTable } from './run-table.tsx'
import { useStillRuns } from './use-still-runs.ts'

/** Lists runs, newest first. */
export function RunsPage(): ReactNode {
  const address = useAddress()
  const query = useRunQuery(address)
  const { runs, query: listed, newCount, showNew } = useStillRuns(address, query)
  const total = runs.data?.totalCount ?? 0
  const transactionId = address.get('transactionId')
  // Other filters may hide existing runs.
  const isAlone = filterNames.every((name) => name === 'transactionId' || address.get(name) === undefined)
  useOnlyRun(isAlone ? transactionId : undefined, runs.isPlaceholderData ? undefined : runs.data)
  return (
    <Page
      title="Runs"
      wide
      aside={<NewRuns count={newCount} onShow={showNew} />}
      actions={
        <>
          {isRepeatable(address) && total > 0 && (
            <RepeatAll query={listed} count={total} isLoading={runs.isPlaceholderData} />
          )}
          <RunListMenu query={query} />
          <ButtonLink to="/trigger" variant="primary" icon={<Play size={15} />}>
            Trigger a workflow
          </ButtonLink>
        </>
      }
    >
      <RunFilters address={address} />
      {runs.error && <Failure title="Couldn't load the runs" error={runs.error} onRetry={() => void runs.refetch()} />}
      {runs.data && (
        <Panel flush>
          <CursorList
            page={runs.data}
            address={address}
            nouns={['run', 'runs']}
            empty={
              <NoRuns
                isFiltered={query.isFiltered}
                transactionId={isAlone ? transactionId : undefined}
                address={address}
              />
            }
          >
            <RunTable runs={runs.data.data} />
          </CursorList>
        </Panel>
      )}
      {!runs.data && !runs.error && (
        <Panel>
          <Skeleton rows={8} height={28} />
        </Panel>
      )}
    </Page>
  )
}

/** Whether only failed or canceled runs are listed; other runs are rarely rerun together. */
function isRepeatable(address: AddressState): boolean {
  const statuses = address.getAll('status')
  return statuses.length > 0 && statuses.every((status) => status === 'failed' || status === 'canceled')
}

/** Shows the number of new runs in the heading, so that no row shifts. */
function NewRuns({ count, onShow }: { readonly count: number; readonly onShow: () => void }): ReactNode {
  return (
    <span role="status">
      {count > 0 && (
        <Button small icon={<ArrowUp size={14} />} onClick={onShow}>
          {count === 1 ? '1 new run' : `${count.toLocaleString('en')} new runs`}
        </Button>
      )}
    </span>
  )
}

/** Opens the only run of a transaction, which the user wants to follow after a trigger. */
function useOnlyRun(transactionId: string | undefined, page: CursorPage<RunLine> | undefined): void {
  const [, navigate] = useLocation()
  const only = transactionId !== undefined && page?.totalCount === 1 ? page.data[0]?._id : undefined
  useEffect(() => {
    if (only !== undefined) navigate(`/runs/${only}`, { replace: true })
  }, [only, navigate])
}

interface NoRunsProps {
  readonly isFiltered: boolean
  readonly transactionId: string | undefined
  readonly address: AddressState
}

function NoRuns({ isFiltered, transactionId, address }: NoRunsProps): ReactNode {
  const icon = <Waypoints size={20} />
  if (transactionId !== undefined) return <NoRunYet transactionId={transactionId} />
  if (!isFiltered)
    return (
      <Empty icon={icon} title="No runs yet" action={<ButtonLink to="/trigger">Trigger a workflow</ButtonLink>}>
        Trigger a workflow here, or from your app with <code>workflow.trigger()</code>. Its runs appear here at once.
      </Empty>
    )
  const clear = (): void => address.choose(Object.fromEntries(filterNames.map((name) => [name, undefined])))
  return (
    <Empty icon={icon} title="No matching runs" action={<Button onClick={clear}>Clear all filters</Button>}>
      Finished runs are kept for 30 days, unless the service was started with a different <code>retentionMs</code>.
    </Empty>
  )
}
