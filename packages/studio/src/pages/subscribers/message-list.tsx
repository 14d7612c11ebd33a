import { MailX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Message } from '../../api/generated/resources.ts'
import type { NumberedPage } from '../../api/page.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StepIcon, stepKind } from '../../ui/steps/step-kind.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import style from './subscribers.module.css'

const pageSize = 20
const tones: Readonly<Record<string, Tone>> = { sent: 'good', error: 'bad', warning: 'warn' }
const texts: Readonly<Record<string, string>> = {
  sent: 'Sent',
  error: 'Failed',
  warning: 'Not sent',
  pending: 'Pending',
}

const columns: readonly Column<Message>[] = [
  {
    key: 'what',
    title: 'Message',
    show: (message) => (
      <span className={style['message']}>
        <StepIcon type={message.channel} />
        <span className="visually-hidden">{stepKind(message.channel).text}: </span>
        <Link to={`/runs/${message._notificationId}`} className={style['summary']}>
          {summaryOf(message)}
        </Link>
      </span>
    ),
  },
  {
    key: 'workflow',
    title: 'Workflow',
    wideOnly: true,
    oneLine: true,
    show: ({ templateIdentifier }) => (
      <Link to={`/workflows/${toPathName(templateIdentifier)}`}>{templateIdentifier}</Link>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    show: ({ status, errorId, errorText }) => {
      const shownStatus = errorId === 'delivery_pending' ? 'pending' : status
      return (
        <span className={style['status']}>
          <Badge tone={ownEntry(tones, shownStatus) ?? 'neutral'} dot>
            {ownEntry(texts, shownStatus) ?? shownStatus}
          </Badge>
          {errorText !== undefined && <span className={style['why']}>{errorText}</span>}
        </span>
      )
    },
  },
  { key: 'at', title: 'Stored', wideOnly: true, end: true, show: ({ createdAt }) => <TimeText at={createdAt} /> },
]

/** Lists the messages sent to a subscriber on every channel. */
export function MessageList({ subscriberId }: { readonly subscriberId: string }): ReactNode {
  const address = useAddress()
  const page = toPageNumber(address.get('page'))
  const status = address.get('status')
  const query = { subscriberId, page, status, limit: pageSize }
  const read = useRead<NumberedPage<Message>>('/v1/studio/messages', { query, keep: true })
  if (read.error)
    return <Failure title="Couldn't load the messages" error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton rows={6} height={28} />
  const { data, hasMore } = read.data
  if (data.length === 0 && page === 0 && status === undefined)
    return (
      <Empty icon={<MailX size={20} />} title="No messages yet">
        Messages on all channels are listed here, including those sent through integrations.
      </Empty>
    )
  return (
    <div className={style['flush']}>
      <div className={style['filter']}>
        <SelectField
          label="Status"
          hideLabel
          value={status ?? ''}
          options={[
            { value: '', text: 'All statuses' },
            ...Object.entries(texts).map(([value, text]) => ({ value, text })),
          ]}
          onChange={(value) => address.choose({ status: value, page: undefined })}
        />
      </div>
      {data.length === 0 && <Empty icon={<MailX size={20} />} title="No matching messages" />}
      <Table label="Messages" columns={columns} rows={data} keyOf={({ _id }) => _id} />
      {(page > 0 || hasMore) && (
        <div className={style['pages']}>
          <Button
            small
            disabled={page === 0}
            onClick={() => address.turn({ page: page === 1 ? undefined : String(page - 1) })}
          >
            Newer
          </Button>
          <Button small disabled={!hasMore} onClick={() => address.turn({ page: String(page + 1) })}>
            Older
          </Button>
        </div>
      )}
    </div>
  )
}

/** A URL can contain arbitrary values. */
const toPageNumber = (text = ''): number => (/^\d{1,6}$/.test(text) ? Number(text) : 0)

function summaryOf({ subject, title, content, channel }: Message): string {
  const text = subject ?? title ?? (typeof content === 'string' && channel !== 'email' ? content : undefined)
  return text === undefined || text === '' ? stepKind(channel).text : text
}
