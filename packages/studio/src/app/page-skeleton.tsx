import type { ReactNode } from 'react'
import { Page } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** The placeholder of a page while its code is loading. */
export function PageSkeleton(): ReactNode {
  return (
    <Page title="…">
      <Panel>
        <Skeleton rows={6} />
      </Panel>
    </Page>
  )
}
