import type { ReactNode } from 'react'
import { useBridge } from '../../session/bridge.ts'
import { JsonBlock } from '../../ui/data/code-block.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Shows what was found and what is wrong. */
export function HomePage(): ReactNode {
  const bridge = useBridge()
  return (
    <Page title="Overview">
      {bridge.error && <Failure error={bridge.error} onRetry={() => void bridge.refetch()} />}
      <Panel title="Bridge">
        {bridge.data ? <JsonBlock value={bridge.data} label="the bridge" /> : <Skeleton rows={5} />}
      </Panel>
    </Page>
  )
}
