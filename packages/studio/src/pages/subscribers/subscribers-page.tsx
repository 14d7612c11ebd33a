import { Search, UserPlus, Users } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Subscriber } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import { nameOf } from '../../api/subscriber-name.ts'
import { type AddressState, useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CursorList } from '../../ui/data/cursor-list.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { NewSubscriber } from './new-subscriber.tsx'
import style from './subscribers.module.css'

const path = '/v2/subscribers'
const pageSize = 20
const typingMs = 250
const fields = ['name', 'subscriberId', 'email', 'phone'] as const

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
  const filters = Object.fromEntries(fields.map((name) => [name, address.get(name)]))
  const read = useRead<CursorPage<Subscriber>>(path, {
    query: { ...filters, ...address.cursor, limit: pageSize },
    keep: true,
  })
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
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
      <SubscriberSearch address={address} />
      {read.error && (
        <Failure title="Couldn't load the subscribers" error={read.error} onRetry={() => void read.refetch()} />
      )}
      {(read.data || !read.error) && (
        <Panel flush>
          {read.data ? (
            <SubscriberTable page={read.data} isFiltered={isFiltered} address={address} />
          ) : (
            <div className={style['skeleton']}>
              <Skeleton rows={8} height={28} />
            </div>
          )}
        </Panel>
      )}
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
        action={
          <Button onClick={() => address.choose(Object.fromEntries(fields.map((name) => [name, undefined])))}>
            Show all
          </Button>
        }
      >
        Names match partially; identifiers, addresses and numbers must match completely.
      </Empty>
    )
  return (
    <Empty icon={<Users size={20} />} title="No subscribers yet">
      Create a subscriber, or trigger a workflow for one. A trigger creates missing subscribers.
    </Empty>
  )
}

/** Typed text is written to the URL after a short pause. */
function SubscriberSearch({ address }: { readonly address: AddressState }): ReactNode {
  const [field, setField] = useState(() => fields.find((name) => address.get(name) !== undefined) ?? 'name')
  const [typed, setTyped] = useState(address.get(field) ?? '')
  const { choose } = address
  const urlValue = address.get(field) ?? ''
  useEffect(() => setTyped(urlValue), [urlValue])
  useEffect(() => {
    if (typed === urlValue) return
    const others = Object.fromEntries(fields.map((name) => [name, undefined]))
    const timer = setTimeout(() => choose({ ...others, [field]: typed }), typingMs)
    return () => clearTimeout(timer)
  }, [typed, urlValue, field, choose])
  return (
    <search className={style['search']} aria-label="Subscribers">
      <SelectField
        label="Search by"
        hideLabel
        value={field}
        options={[
          { value: 'name', text: 'Name' },
          { value: 'subscriberId', text: 'Identifier' },
          { value: 'email', text: 'Email' },
          { value: 'phone', text: 'Phone' },
        ]}
        onChange={(name) => setField(name as (typeof fields)[number])}
      />
      <TextField
        label="Search subscribers"
        hideLabel
        type="search"
        placeholder={field === 'name' ? 'Part of the name' : 'Exact value'}
        icon={<Search size={14} />}
        value={typed}
        onChange={setTyped}
      />
    </search>
  )
}
