import { PanelTop } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Layout, LayoutList } from '../../api/generated/resources.ts'
import type { FormField } from '../../resource/form-field.ts'
import { ResourceDialog } from '../../resource/resource-dialog.tsx'
import { NamedLink, ResourceList } from '../../resource/resource-list.tsx'
import { SearchBox } from '../../resource/search-box.tsx'
import { type ListState, pageSize, usePageNumber } from '../../resource/use-list.tsx'
import { useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'

const path = '/v2/layouts'

const columns: readonly Column<Layout>[] = [
  {
    key: 'name',
    title: 'Layout',
    show: ({ layoutId, name }) => <NamedLink to={`/layouts/${toPathName(layoutId)}`} name={name} id={layoutId} />,
  },
  {
    key: 'use',
    title: 'Use',
    show: ({ isDefault }) => isDefault && <Badge tone="accent">Default</Badge>,
  },
  { key: 'at', title: 'Changed', wideOnly: true, end: true, show: ({ updatedAt }) => <TimeText at={updatedAt} /> },
]

/** Lists the email layouts. */
export function LayoutsPage(): ReactNode {
  const search = useAddress().get('search')
  return (
    <ResourceList
      title="Layouts"
      lead="HTML around the content of emails: logo, footer, colors. Emails without their own use the default."
      list={useLayouts(search)}
      columns={columns}
      keyOf={({ _id }) => _id}
      filters={<SearchBox label="Search layouts" placeholder="Name or identifier" />}
      create={{ text: 'New layout', dialog: (close) => <NewLayout onClose={close} /> }}
      empty={
        <Empty icon={<PanelTop size={20} />} title={search === undefined ? 'No layouts yet' : 'No matching layouts'}>
          The first one becomes the default for all emails.
        </Empty>
      }
    />
  )
}

function useLayouts(query: string | undefined): ListState<Layout> {
  const page = usePageNumber()
  const read = useRead<LayoutList>(path, {
    query: { query, limit: pageSize, offset: page.number * pageSize },
    keep: true,
  })
  const { data, error } = read
  const hasMore = data !== undefined && (page.number + 1) * pageSize < data.totalCount
  return {
    rows: data?.layouts,
    error,
    retry: () => void read.refetch(),
    toFirst: page.toFirst,
    pager: data && page.pager({ hasMore, total: data.totalCount, nouns: ['layout', 'layouts'] }),
  }
}

const fields: readonly FormField[] = [
  { name: 'name', label: 'Name', required: true },
  { name: 'layoutId', label: 'Identifier', required: true, mono: true, hint: 'Triggers name the layout by it.' },
]

function NewLayout({ onClose }: { onClose(): void }): ReactNode {
  const [, navigate] = useLocation()
  return (
    <ResourceDialog
      title="New layout"
      verb="Create"
      failure="Couldn't create the layout"
      fields={fields}
      initial={{}}
      toRequest={(body) => ({ method: 'POST', path, body })}
      touches={[path]}
      onSaved={({ layoutId }: Layout) => navigate(`/layouts/${toPathName(layoutId)}`)}
      onClose={onClose}
    />
  )
}
