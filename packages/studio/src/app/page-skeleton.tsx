import type { ReactNode } from 'react'
import { Page } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** Holds the place of a page whose code is being read. */
export function PageSkeleton(): ReactNode {
  return (
    <Page title="…">
      <Panel>
        <Skeleton rows={6} />
      </Panel>
    </Page>
  )
}
