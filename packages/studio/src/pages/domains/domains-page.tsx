import { AtSign } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Domain } from '../../api/domains.ts'
import type { FormField } from '../../resource/form-field.ts'
import { ResourceDialog } from '../../resource/resource-dialog.tsx'
import { ResourceList } from '../../resource/resource-list.tsx'
import { useCursorList } from '../../resource/use-list.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { DomainStatus } from './domain-status.tsx'

const path = '/v1/domains'

const columns: readonly Column<Domain>[] = [
  { key: 'name', title: 'Domain', show: ({ name }) => <Link to={`/domains/${toPathName(name)}`}>{name}</Link> },
  { key: 'status', title: 'Status', show: (domain) => <DomainStatus {...domain} /> },
  { key: 'at', title: 'Created', wideOnly: true, end: true, show: ({ createdAt }) => <TimeText at={createdAt} /> },
]

/** Lists the domains for inbound email. */
export function DomainsPage(): ReactNode {
  const list = useCursorList<Domain>(path, ['domain', 'domains'])
  return (
    <ResourceList
      title="Inbound email"
      what="the domains"
      lead="Domains whose mail is delivered to webhooks and agents."
      list={list}
      columns={columns}
      keyOf={({ _id }) => _id}
      create={{ text: 'New domain', needs: 'administer', dialog: (close) => <NewDomain onClose={close} /> }}
      empty={
        <Empty icon={<AtSign size={20} />} title="No domains">
          Add a domain to receive its mail.
        </Empty>
      }
    />
  )
}

const fields: readonly FormField[] = [
  {
    ...{ name: 'name', label: 'Domain', required: true, mono: true, isWide: true },
    hint: 'Such as in.example.com. With a subdomain, mail for the main domain is not affected.',
  },
]

function NewDomain({ onClose }: { onClose(): void }): ReactNode {
  const [, navigate] = useLocation()
  return (
    <ResourceDialog
      title="New domain"
      verb="Add"
      failure="Couldn't add the domain"
      needs="administer"
      fields={fields}
      initial={{}}
      toRequest={(body) => ({ method: 'POST', path, body })}
      touches={[path]}
      onSaved={({ name }: Domain) => navigate(`/domains/${toPathName(name)}`)}
      onClose={onClose}
    />
  )
}
