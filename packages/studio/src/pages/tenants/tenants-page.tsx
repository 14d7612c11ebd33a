import { Building2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Tenant } from '../../api/generated/resources.ts'
import { type FormField, withoutEmpty } from '../../resource/form-field.ts'
import { ResourceDialog } from '../../resource/resource-dialog.tsx'
import { NamedLink, ResourceList } from '../../resource/resource-list.tsx'
import { useNumberedList } from '../../resource/use-list.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'

const path = '/v1/tenants'

const columns: readonly Column<Tenant>[] = [
  {
    key: 'name',
    title: 'Tenant',
    show: ({ identifier, name = identifier }) => (
      <NamedLink to={`/tenants/${toPathName(identifier)}`} name={name} id={identifier} />
    ),
  },
  { key: 'data', title: 'Data', wideOnly: true, rest: true, show: ({ data }) => data && <code>{toLine(data)}</code> },
  { key: 'at', title: 'Changed', end: true, show: ({ updatedAt }) => <TimeText at={updatedAt} /> },
]

const toLine = (data: object): string => Object.keys(data).join(', ')

/** Lists the tenants of the environment. */
export function TenantsPage(): ReactNode {
  const list = useNumberedList<Tenant>(path)
  return (
    <ResourceList
      title="Tenants"
      lead="Customers of your product. A trigger names one, and workflows can be turned off for it."
      list={list}
      columns={columns}
      keyOf={({ _id }) => _id}
      create={{ text: 'New tenant', dialog: (close) => <NewTenant onClose={close} /> }}
      empty={
        <Empty icon={<Building2 size={20} />} title="No tenants yet">
          Create one, then name it in a trigger as <code>tenant</code>.
        </Empty>
      }
    />
  )
}

const fields: readonly FormField[] = [
  { name: 'identifier', label: 'Identifier', required: true, mono: true, hint: 'The id in your app, such as acme.' },
  { name: 'name', label: 'Name' },
]

function NewTenant({ onClose }: { onClose(): void }): ReactNode {
  const [, navigate] = useLocation()
  return (
    <ResourceDialog
      title="New tenant"
      verb="Create"
      failure="Couldn't create the tenant"
      fields={fields}
      initial={{}}
      toRequest={(values) => ({ method: 'POST', path, body: withoutEmpty(values) })}
      touches={[path]}
      onSaved={({ identifier }: Tenant) => navigate(`/tenants/${toPathName(identifier)}`)}
      onClose={onClose}
    />
  )
}
