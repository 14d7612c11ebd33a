import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StudioBridge } from '../../api/generated/resources.ts'
import { useBridge, useSync } from '../../session/bridge.ts'
import { useSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BridgePanel } from './bridge-panel.tsx'
import { ConnectPanel } from './connect-panel.tsx'
import { FaultList } from './fault-list.tsx'
import style from './home.module.css'
import { NextSteps } from './next-steps.tsx'
import { RunCountsPanel } from './run-counts.tsx'

/** Shows the synced workflows, their problems, and the next steps. */
export function HomePage(): ReactNode {
  const { environment } = useSession()
  const bridge = useBridge()
  const sync = useSync()
  const state = bridge.data
  const isConnected = state !== undefined && state.status !== 'never-synced'
  // The panel below connects a bridge that failed, which is the same.
  const actions = state?.status === 'ok' && (
    <Button needs="administer" icon={<RefreshCw size={15} />} busy={sync.isPending} onClick={() => sync.mutate({})}>
      Sync
    </Button>
  )
  return (
    <Page title="Overview" lead={`Workflows in ${environment.name}, and what needs attention.`} actions={actions}>
      {bridge.error && !state && <Failure error={bridge.error} onRetry={() => void bridge.refetch()} />}
      {sync.error && isConnected && <Failure error={sync.error} title="Couldn't sync the bridge" />}
      {!state && !bridge.error && (
        <Panel>
          <Skeleton rows={6} height={28} />
        </Panel>
      )}
      {state && isConnected && <Found state={state} />}
      {state && state.status !== 'ok' && <ConnectPanel currentUrl={state.url ?? undefined} />}
    </Page>
  )
}

function Found({ state }: { readonly state: StudioBridge }): ReactNode {
  const error = state.lastSync?.error
  return (
    <>
      {error && (
        <Notice tone="bad" title={error.message} code={error.code}>
          <p>
            {state.workflows.length > 0
              ? 'The page shows the last successful sync. Fix it, then sync again.'
              : 'Fix it, then connect again.'}
          </p>
        </Notice>
      )}
      {state.workflows.length > 0 && <RunCountsPanel />}
      {state.workflows.length > 0 && <BridgePanel state={state} />}
      {(state.workflows.length > 0 || state.problems.length > 0) && (
        <div className={style['columns']}>
          <FaultList state={state} />
          <NextSteps state={state} />
        </div>
      )}
    </>
  )
}
