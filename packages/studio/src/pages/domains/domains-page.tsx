import { AtSign, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Domain } from '../../api/domains.ts'
import type { CursorPage } from '../../api/page.ts'
import type { FormField } from '../../resource/form-field.ts'
import { ResourceDialog } from '../../resource/resource-dialog.tsx'
import { useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CursorList } from '../../ui/data/cursor-list.tsx'
import { LoadedPanel } from '../../ui/data/loaded-panel.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { DomainStatus } from './domain-status.tsx'

const path = '/v1/domains'
const pageSize = 20

const columns: readonly Column<Domain>[] = [
  { key: 'name', title: 'Domain', show: ({ name }) => <Link to={`/domains/${toPathName(name)}`}>{name}</Link> },
  { key: 'status', title: 'Status', show: (domain) => <DomainStatus {...domain} /> },
  { key: 'at', title: 'Created', wideOnly: true, end: true, show: ({ createdAt }) => <TimeText at={createdAt} /> },
]

/** Lists the domains for inbound email. */
export function DomainsPage(): ReactNode {
  const address = useAddress()
  const [isAdding, add] = useState(false)
  const read = useRead<CursorPage<Domain>>(path, { query: { ...address.cursor, limit: pageSize }, keep: true })
  return (
    <Page
      title="Inbound email"
      lead="Domains whose mail is delivered to webhooks and agents."
      actions={
        <Button needs="administer" variant="primary" icon={<Plus size={15} />} onClick={() => add(true)}>
          New domain
        </Button>
      }
    >
      <LoadedPanel what="the domains" read={read}>
        {(page) => (
          <CursorList page={page} address={address} nouns={['domain', 'domains']} empty={<NoDomains />}>
            <Table label="Domains" columns={columns} rows={page.data} keyOf={({ _id }) => _id} />
          </CursorList>
        )}
      </LoadedPanel>
      {isAdding && <NewDomain onClose={() => add(false)} />}
    </Page>
  )
}

function NoDomains(): ReactNode {
  return (
    <Empty icon={<AtSign size={20} />} title="No domains">
      Add a domain to receive its mail.
    </Empty>
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
