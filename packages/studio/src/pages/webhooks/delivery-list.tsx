import { RotateCw, Webhook } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WebhookDelivery } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import { useAddress } from '../../session/address.ts'
import { useRead, useSend } from '../../session/queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CursorList } from '../../ui/data/cursor-list.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import style from './webhooks.module.css'

const pageSize = 20
const readEveryMs = 5000

const statuses: Readonly<Record<WebhookDelivery['status'], readonly [text: string, tone: Tone]>> = {
  pending: ['Pending', 'neutral'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
}

const columns: readonly Column<WebhookDelivery>[] = [
  { key: 'type', title: 'Event', show: ({ eventType }) => <code>{eventType}</code> },
  { key: 'status', title: 'Status', show: (delivery) => <Status {...delivery} /> },
  { key: 'answer', title: 'Last response', wideOnly: true, show: ({ attempts }) => attempts.at(-1)?.status ?? '–' },
  { key: 'attempts', title: 'Attempts', wideOnly: true, end: true, show: ({ attempts }) => attempts.length },
  { key: 'at', title: 'Created', wideOnly: true, end: true, show: ({ createdAt }) => <TimeText at={createdAt} /> },
  { key: 'resend', title: 'Action', end: true, show: (delivery) => <Resend {...delivery} /> },
]

/** Lists the deliveries to an endpoint with their status. */
export function DeliveryList({ endpointId }: { readonly endpointId: string }): ReactNode {
  const address = useAddress()
  const { data, error, refetch } = useRead<CursorPage<WebhookDelivery>>(pathOf(endpointId), {
    query: { ...address.cursor, limit: pageSize },
    ...{ keep: true, everyMs: readEveryMs },
  })
  return (
    <Panel title="Deliveries" flush>
      {error && <Failure title="Couldn't load the deliveries" error={error} onRetry={() => void refetch()} />}
      {data && (
        <CursorList page={data} address={address} nouns={['delivery', 'deliveries']} empty={<NoDeliveries />}>
          <Table label="Deliveries" columns={columns} rows={data.data} keyOf={({ _id }) => _id} />
        </CursorList>
      )}
    </Panel>
  )
}

const pathOf = (endpointId: string): string => `/v1/webhook-endpoints/${endpointId}/deliveries`

function NoDeliveries(): ReactNode {
  return (
    <Empty icon={<Webhook size={20} />} title="No deliveries yet">
      Send a test event to see whether the endpoint accepts it.
    </Empty>
  )
}

function Status({ status, reason, nextAt }: WebhookDelivery): ReactNode {
  const [text, tone] = statuses[status]
  return (
    <>
      <Badge dot tone={tone}>
        {text}
      </Badge>
      {reason !== undefined && (
        <p className={style['reason']}>
          {reason}
          {nextAt !== undefined && (
            <>
              {' '}
              Next attempt <TimeText at={nextAt} />
            </>
          )}
        </p>
      )}
    </>
  )
}

function Resend({ _id, _endpointId, status, eventType }: WebhookDelivery): ReactNode {
  const path = pathOf(_endpointId)
  const send = useSend<WebhookDelivery>([path])
  if (status === 'pending') return undefined
  const onSend = (): void =>
    send.mutate(
      { method: 'POST', path: `${path}/${_id}/resend` },
      { onError: (error) => toast("Couldn't send it again", { description: error.message, tone: 'bad' }) },
    )
  return (
    <Button
      small
      needs="edit"
      icon={<RotateCw size={14} />}
      aria-label={`Send ${eventType} again`}
      busy={send.isPending}
      onClick={onSend}
    >
      Send again
    </Button>
  )
}
