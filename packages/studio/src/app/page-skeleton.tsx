import type { ReactNode } from 'react'
import { Page } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** The placeholder shown while a page's code is loading. */
export function PageSkeleton(): ReactNode {
  return (
    <Page title="…">
      <Panel>
        <Skeleton rows={6} />
      </Panel>
    </Page>
  )
}
