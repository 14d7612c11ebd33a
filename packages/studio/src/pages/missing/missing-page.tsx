import { Compass } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'

/** Reports that a page does not exist. */
export function MissingPage(): ReactNode {
  return (
    <Page title="Not found">
      <Panel>
        <Empty icon={<Compass size={20} />} title="Page not found" action={<ButtonLink to="/">Overview</ButtonLink>}>
          The address may be mistyped, or the page was removed.
        </Empty>
      </Panel>
    </Page>
  )
}
