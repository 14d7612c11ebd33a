import { UserMinus, UserPlus, Users } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { SubscriptionItem } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import { nameOf } from '../../api/subscriber-name.ts'
import { useSubscriberSuggestions } from '../../resource/suggestions.ts'
import { useAddress } from '../../session/address.ts'
import { useRead, useSend } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CursorList } from '../../ui/data/cursor-list.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SuggestField } from '../../ui/fields/suggest-field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import style from './topics.module.css'

const pageSize = 20

/** Lists the subscribers of a topic, and adds and removes them. */
export function TopicSubscribers({ path }: { readonly path: string }): ReactNode {
  const subscriptions = `${path}/subscriptions`
  const address = useAddress()
  const read = useRead<CursorPage<SubscriptionItem>>(subscriptions, {
    query: { ...address.cursor, limit: pageSize },
    keep: true,
  })
  const remove = useSend([path])
  const page = read.data
  const onRemove = ({ identifier, subscriber }: SubscriptionItem): void =>
    remove.mutate(
      {
        method: 'DELETE',
        path: subscriptions,
        body: { subscriptions: [{ identifier, subscriberId: subscriber.subscriberId }] },
      },
      { onError: (error) => toast("Couldn't remove the subscription", { description: error.message, tone: 'bad' }) },
    )
  return (
    <Panel title="Subscribers" flush>
      <AddSubscriber path={path} />
      {read.error && (
        <Failure title="Couldn't load the subscribers" error={read.error} onRetry={() => void read.refetch()} />
      )}
      {!page && !read.error && (
        <div className={style['skeleton']}>
          <Skeleton rows={4} height={28} />
        </div>
      )}
      {page && (
        <CursorList page={page} address={address} nouns={['subscriber', 'subscribers']} empty={<NoSubscribers />}>
          <Table label="Subscribers" columns={columnsOf(onRemove)} rows={page.data} keyOf={({ _id }) => _id} />
        </CursorList>
      )}
    </Panel>
  )
}

function NoSubscribers(): ReactNode {
  return (
    <Empty icon={<Users size={20} />} title="No subscribers">
      Add a subscriber by its id in your app.
    </Empty>
  )
}

function columnsOf(onRemove: (one: SubscriptionItem) => void): readonly Column<SubscriptionItem>[] {
  return [
    {
      key: 'name',
      title: 'Subscriber',
      show: ({ subscriber }) => (
        <Link to={`/subscribers/${toPathName(subscriber.subscriberId)}`}>{nameOf(subscriber)}</Link>
      ),
    },
    {
      key: 'id',
      title: 'Identifier',
      wideOnly: true,
      show: ({ subscriber }) => <code>{subscriber.subscriberId}</code>,
    },
    { key: 'at', title: 'Since', show: ({ createdAt }) => <TimeText at={createdAt} /> },
    {
      key: 'remove',
      title: 'Remove',
      end: true,
      show: (one) => (
        <Button
          needs="edit"
          small
          variant="quiet"
          aria-label={`Remove ${one.subscriber.subscriberId} from the topic`}
          icon={<UserMinus size={15} />}
          onClick={() => onRemove(one)}
        />
      ),
    },
  ]
}

/** The response to adding a subscriber. */
interface Subscribed {
  readonly errors?: readonly { readonly message?: string }[]
}

function AddSubscriber({ path }: { readonly path: string }): ReactNode {
  const [subscriberId, setSubscriberId] = useState('')
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  const suggestions = useSubscriberSuggestions(subscriberId)
  const add = useSend<Subscribed>([path])
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (subscriberId.trim() === '') return
    const missing = `Subscriber ${subscriberId} does not exist. Create it first.`
    add.mutate(
      { method: 'POST', path: `${path}/subscriptions`, body: { subscriptions: [subscriberId.trim()] } },
      {
        onSuccess: ({ errors = [] }) => {
          setWrong(errors.length > 0 ? missing : undefined)
          if (errors.length === 0) setSubscriberId((now) => (now === subscriberId ? '' : now))
        },
        onError: (error) => setWrong(error.details.status === 400 ? missing : error.message),
      },
    )
  }
  return (
    <form className={style['add']} onSubmit={onSubmit}>
      <SuggestField
        label="Subscriber id"
        hideLabel
        placeholder="Subscriber id, name or email"
        value={subscriberId}
        suggestions={suggestions}
        error={wrong}
        onChange={(value) => {
          setSubscriberId(value)
          setWrong(undefined)
        }}
      />
      <Button needs="edit" type="submit" icon={<UserPlus size={15} />} busy={add.isPending}>
        Add
      </Button>
    </form>
  )
}
