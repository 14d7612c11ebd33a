import { BellOff, CheckCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { InboxPage } from '../../api/generated/resources.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { useRead, useSend } from '../../session/queries.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { Segments } from '../../ui/segments.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import style from './inbox.module.css'
import { InboxItemView } from './inbox-item.tsx'

type View = 'all' | 'unread' | 'archived'

const pageSize = 20
const maxSize = 100
const filters: Readonly<Record<View, Readonly<Record<string, boolean>>>> = {
  all: { archived: false },
  unread: { archived: false, read: false },
  archived: { archived: true },
}

/** Shows a subscriber's inbox as the subscriber sees it. Actions affect the real inbox. */
export function Inbox({ subscriberId }: { readonly subscriberId: string }): ReactNode {
  const [view, setView] = useState<View>('all')
  const [limit, setLimit] = useState(pageSize)
  const path = `/v2/subscribers/${encodeURIComponent(subscriberId)}/notifications`
  const read = useRead<InboxPage>(path, { query: { ...ownEntry(filters, view), limit }, keep: true })
  const unread = useRead<readonly { count: number }[]>(`${path}/count`, {
    query: { filters: JSON.stringify([{ read: false, archived: false }]) },
  })
  const count = unread.data?.[0]?.count ?? 0
  return (
    <div className={style['inbox']}>
      <div className={style['bar']}>
        <Segments
          label="Messages"
          value={view}
          onChange={(chosen) => setView(chosen)}
          options={[
            { value: 'all', text: 'All' },
            { value: 'unread', text: count > 0 ? `Unread (${count})` : 'Unread' },
            { value: 'archived', text: 'Archived' },
          ]}
        />
        <ReadAll path={path} disabled={count === 0} />
      </div>
      {read.error && <Failure title="Couldn't load the inbox" error={read.error} onRetry={() => void read.refetch()} />}
      {!read.data && !read.error && <Skeleton rows={4} height={72} />}
      {read.data?.data.length === 0 && <NoMessages view={view} subscriberId={subscriberId} />}
      {read.data && read.data.data.length > 0 && (
        <ul className={style['items']} aria-label="Inbox">
          {read.data.data.map((item) => (
            <InboxItemView key={item.id} item={item} path={path} />
          ))}
        </ul>
      )}
      {read.data?.hasMore && limit < maxSize && (
        <Button onClick={() => setLimit(Math.min(maxSize, limit + pageSize))}>Show older messages</Button>
      )}
      {read.data?.hasMore && limit >= maxSize && (
        <p className={style['rest']}>
          The newest {maxSize} are shown.{' '}
          <Link to={`/subscribers/${toPathName(subscriberId)}?tab=messages`}>Messages</Link> has older ones.
        </p>
      )}
    </div>
  )
}

function ReadAll({ path, disabled }: { readonly path: string; readonly disabled: boolean }): ReactNode {
  const readAll = useSend([path])
  const onRead = (): void =>
    readAll.mutate(
      { method: 'POST', path: `${path}/read`, body: {} },
      { onError: (error) => toast("Couldn't mark all as read", { description: error.message, tone: 'bad' }) },
    )
  return (
    <Button
      needs="edit"
      small
      icon={<CheckCheck size={14} />}
      disabled={disabled}
      busy={readAll.isPending}
      onClick={onRead}
    >
      Mark all as read
    </Button>
  )
}

function NoMessages({ view, subscriberId }: { readonly view: View; readonly subscriberId: string }): ReactNode {
  const icon = <BellOff size={20} />
  if (view === 'unread') return <Empty icon={icon} title="No unread messages" />
  if (view === 'archived') return <Empty icon={icon} title="No archived messages" />
  return (
    <Empty
      icon={icon}
      title="The inbox is empty"
      action={
        <ButtonLink to={`/trigger?subscriber=${encodeURIComponent(subscriberId)}`}>Trigger a workflow</ButtonLink>
      }
    >
      Messages of <code>step.inApp()</code> appear here.
    </Empty>
  )
}
