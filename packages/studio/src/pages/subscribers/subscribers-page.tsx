import { UserPlus, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Subscriber } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import { nameOf } from '../../api/subscriber-name.ts'
import { SearchBox } from '../../resource/search-box.tsx'
import { type AddressState, useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CursorList } from '../../ui/data/cursor-list.tsx'
import { LoadedPanel } from '../../ui/data/loaded-panel.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { NewSubscriber } from './new-subscriber.tsx'
import style from './subscribers.module.css'

const path = '/v1/studio/subscribers'
const pageSize = 20

const columns: readonly Column<Subscriber>[] = [
  {
    key: 'name',
    title: 'Subscriber',
    show: (one) => (
      <span className={style['person']}>
        <Link to={`/subscribers/${toPathName(one.subscriberId)}`}>{nameOf(one)}</Link>
        <code>{one.subscriberId}</code>
      </span>
    ),
  },
  { key: 'email', title: 'Email', show: ({ email = '–' }) => <span className={style['cut']}>{email}</span> },
  { key: 'phone', title: 'Phone', wideOnly: true, show: ({ phone = '–' }) => phone },
  { key: 'locale', title: 'Language', wideOnly: true, show: ({ locale = '–' }) => locale },
  { key: 'at', title: 'Created', wideOnly: true, end: true, show: ({ createdAt }) => <TimeText at={createdAt} /> },
]

/** Lists the subscribers of the environment. */
export function SubscribersPage(): ReactNode {
  const address = useAddress()
  const [isAdding, add] = useState(false)
  const search = address.get('search')
  const read = useRead<CursorPage<Subscriber>>(path, {
    query: { search, ...address.cursor, limit: pageSize },
    keep: true,
  })
  const addButton = (
    <Button needs="edit" variant="primary" icon={<UserPlus size={15} />} onClick={() => add(true)}>
      New subscriber
    </Button>
  )
  return (
    <Page
      title="Subscribers"
      lead="The recipients of your workflows. A trigger creates missing ones."
      actions={addButton}
    >
      <SearchBox label="Search subscribers" placeholder="Part of the id, name, email or phone" />
      <LoadedPanel what="the subscribers" read={read} rows={8}>
        {(page) => <SubscriberTable page={page} isFiltered={search !== undefined} address={address} />}
      </LoadedPanel>
      {isAdding && <NewSubscriber onClose={() => add(false)} />}
    </Page>
  )
}

interface SubscriberTableProps {
  readonly page: CursorPage<Subscriber>
  readonly isFiltered: boolean
  readonly address: AddressState
}

function SubscriberTable({ page, isFiltered, address }: SubscriberTableProps): ReactNode {
  const empty = <Nobody isFiltered={isFiltered} address={address} />
  return (
    <CursorList page={page} address={address} nouns={['subscriber', 'subscribers']} empty={empty}>
      <Table label="Subscribers" columns={columns} rows={page.data} keyOf={({ _id }) => _id} />
    </CursorList>
  )
}

function Nobody({ isFiltered, address }: Omit<SubscriberTableProps, 'page'>): ReactNode {
  if (isFiltered)
    return (
      <Empty
        icon={<Users size={20} />}
        title="No matching subscribers"
        action={<Button onClick={() => address.choose({ search: undefined })}>Show all</Button>}
      />
    )
  return (
    <Empty icon={<Users size={20} />} title="No subscribers yet">
      Create a subscriber, or trigger a workflow for one. A trigger creates missing subscribers.
    </Empty>
  )
}
