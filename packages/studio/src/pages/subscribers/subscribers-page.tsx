import { UserPlus, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Subscriber } from '../../api/generated/resources.ts'
import { nameOf } from '../../api/subscriber-name.ts'
import { ResourceList } from '../../resource/resource-list.tsx'
import { SearchBox } from '../../resource/search-box.tsx'
import { useCursorList } from '../../resource/use-list.tsx'
import { type AddressState, useAddress } from '../../session/address.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { NewSubscriber } from './new-subscriber.tsx'
import style from './subscribers.module.css'

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
  const query = { search: address.get('search') }
  const list = useCursorList<Subscriber>('/v1/studio/subscribers', ['subscriber', 'subscribers'], query)
  return (
    <ResourceList
      title="Subscribers"
      lead="The recipients of your workflows. A trigger creates missing ones."
      filters={<SearchBox label="Search subscribers" placeholder="Part of the id, name, email or phone" />}
      list={list}
      columns={columns}
      keyOf={({ _id }) => _id}
      create={{
        text: 'New subscriber',
        icon: <UserPlus size={15} />,
        dialog: (close) => <NewSubscriber onClose={close} />,
      }}
      empty={<NoSubscribers address={address} />}
    />
  )
}

function NoSubscribers({ address }: { readonly address: AddressState }): ReactNode {
  if (address.get('search') !== undefined)
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
