import { Layers } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Context } from '../../api/generated/resources.ts'
import { type FormField, withoutEmpty } from '../../resource/form-field.ts'
import { ResourceDialog } from '../../resource/resource-dialog.tsx'
import { NamedLink, ResourceList } from '../../resource/resource-list.tsx'
import { SearchBox } from '../../resource/search-box.tsx'
import { useCursorList } from '../../resource/use-list.tsx'
import { useAddress } from '../../session/address.ts'
import type { Column } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'

const path = '/v2/contexts'

/** Returns the page of a context. */
const toPage = ({ type, id }: Pick<Context, 'type' | 'id'>): string => `/contexts/${toPathName(type)}/${toPathName(id)}`

const columns: readonly Column<Context>[] = [
  { key: 'id', title: 'Context', show: (context) => <NamedLink to={toPage(context)} name={context.id} /> },
  { key: 'type', title: 'Type', show: ({ type }) => <code>{type}</code> },
  { key: 'bridge', title: 'Bridge', wideOnly: true, rest: true, show: ({ bridgeUrl }) => bridgeUrl ?? 'Default' },
  { key: 'at', title: 'Changed', wideOnly: true, end: true, show: ({ updatedAt }) => <TimeText at={updatedAt} /> },
]

/** Lists the contexts of the environment. */
export function ContextsPage(): ReactNode {
  const search = useAddress().get('search')
  const list = useCursorList<Context>(path, ['context', 'contexts'], { search })
  return (
    <ResourceList
      title="Contexts"
      lead="Subjects of runs, such as projects. Preferences and inboxes are kept apart by context."
      list={list}
      columns={columns}
      keyOf={({ type, id }) => `${type}:${id}`}
      filters={<SearchBox label="Search contexts" placeholder="Part of type:id" />}
      create={{ text: 'New context', dialog: (close) => <NewContext onClose={close} /> }}
      empty={
        <Empty icon={<Layers size={20} />} title={search === undefined ? 'No contexts yet' : 'No matching contexts'}>
          A trigger with <code>context</code> creates missing ones.
        </Empty>
      }
    />
  )
}

const fields: readonly FormField[] = [
  { name: 'type', label: 'Type', required: true, mono: true, placeholder: 'project' },
  { name: 'id', label: 'Identifier', required: true, mono: true, hint: 'Lowercase letters, digits and separators.' },
]

function NewContext({ onClose }: { onClose(): void }): ReactNode {
  const [, navigate] = useLocation()
  return (
    <ResourceDialog
      title="New context"
      verb="Create"
      failure="Couldn't create the context"
      fields={fields}
      initial={{}}
      toRequest={(values) => ({ method: 'POST', path, body: withoutEmpty(values) })}
      touches={[path]}
      onSaved={(context: Context) => navigate(toPage(context))}
      onClose={onClose}
    />
  )
}
