import { Rss } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { SubscriptionItem } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import { useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CursorList } from '../../ui/data/cursor-list.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import style from './subscribers.module.css'

const pageSize = 20

const columns: readonly Column<SubscriptionItem>[] = [
  {
    key: 'topic',
    title: 'Topic',
    show: ({ topic }) => <Link to={`/topics/${toPathName(topic.key)}`}>{topic.name ?? topic.key}</Link>,
  },
  { key: 'key', title: 'Key', wideOnly: true, show: ({ topic }) => <code>{topic.key}</code> },
  { key: 'at', title: 'Since', end: true, show: ({ createdAt }) => <TimeText at={createdAt} /> },
]

/** Lists the topics to which a subscriber is subscribed. */
export function SubscriptionList({ subscriberId }: { readonly subscriberId: string }): ReactNode {
  const path = `/v2/subscribers/${encodeURIComponent(subscriberId)}/subscriptions`
  const address = useAddress()
  const query = { ...address.cursor, limit: pageSize }
  const read = useRead<CursorPage<SubscriptionItem>>(path, { query, keep: true })
  if (read.error)
    return <Failure title="Couldn't load the topics" error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton rows={3} height={28} />
  return (
    <div className={style['flush']}>
      <CursorList page={read.data} address={address} nouns={['topic', 'topics']} empty={<InNoTopic />}>
        <Table label="Topics" columns={columns} rows={read.data.data} keyOf={({ _id }) => _id} />
      </CursorList>
    </div>
  )
}

function InNoTopic(): ReactNode {
  return (
    <Empty icon={<Rss size={20} />} title="No topics" action={<ButtonLink to="/topics">Topics</ButtonLink>}>
      A trigger for a topic reaches all of its subscribers.
    </Empty>
  )
}
