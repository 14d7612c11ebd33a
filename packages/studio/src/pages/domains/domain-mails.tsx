import { Mail, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { InboundMail } from '../../api/domains.ts'
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
import { toPathName } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'
import style from './domains.module.css'

const path = '/v1/studio/inbound-mails'
const pageSize = 20
const readEveryMs = 5000

const statuses: Readonly<Record<InboundMail['status'], readonly [text: string, tone: Tone]>> = {
  pending: ['Pending', 'neutral'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
  ignored: ['Ignored', 'warn'],
}

const columns: readonly Column<InboundMail>[] = [
  { key: 'subject', title: 'Mail', show: (mail) => <Subject {...mail} /> },
  { key: 'sender', title: 'From', show: (mail) => <Sender {...mail} /> },
  { key: 'recipient', title: 'To', wideOnly: true, show: ({ recipient }) => recipient },
  { key: 'status', title: 'Status', show: (mail) => <Status {...mail} /> },
  { key: 'at', title: 'Received', wideOnly: true, end: true, show: ({ createdAt }) => <TimeText at={createdAt} /> },
]

/** Lists the emails that a domain received, with their status. */
export function DomainMails({ domain }: { readonly domain: string }): ReactNode {
  const address = useAddress()
  const query = { ...address.cursor, domain, limit: pageSize }
  const { data, error, refetch } = useRead<CursorPage<InboundMail>>(path, { query, keep: true, everyMs: readEveryMs })
  return (
    <Panel title="Received mail" flush>
      {error && <Failure title="Couldn't load the mail" error={error} onRetry={() => void refetch()} />}
      {data && (
        <CursorList page={data} address={address} nouns={['mail', 'mails']} empty={<NoMail />}>
          <Table label="Received mail" columns={columns} rows={data.data} keyOf={({ _id }) => _id} />
        </CursorList>
      )}
    </Panel>
  )
}

function NoMail(): ReactNode {
  return (
    <Empty icon={<Mail size={20} />} title="No mail">
      Mail to addresses with a route appears here.
    </Empty>
  )
}

function Subject({ subject, target = '', conversationId }: InboundMail): ReactNode {
  const text = <span className={style['subject']}>{subject === '' ? 'No subject' : subject}</span>
  return conversationId === undefined ? (
    text
  ) : (
    <Link to={`/agents/${toPathName(target)}/conversations/${conversationId}`}>{text}</Link>
  )
}

function Sender({ sender, verdict }: InboundMail): ReactNode {
  return (
    <span className={style['badges']}>
      {sender}
      {verdict === 'none' && <Badge tone="warn">Not authenticated</Badge>}
      {verdict === 'fail' && <Badge tone="bad">DMARC fails</Badge>}
    </span>
  )
}

function Status({ _id, status, reason }: InboundMail): ReactNode {
  const [text, tone] = statuses[status]
  return (
    <>
      <span className={style['badges']}>
        <Badge dot tone={tone}>
          {text}
        </Badge>
        {status === 'failed' && <DeliverButton id={_id} />}
      </span>
      {reason !== undefined && <span className={style['reason']}>{reason}</span>}
    </>
  )
}

function DeliverButton({ id }: { readonly id: string }): ReactNode {
  const deliver = useSend([path])
  const onDeliver = (): void =>
    deliver.mutate(
      { method: 'POST', path: `${path}/${id}/deliver` },
      { onError: (error) => toast("Couldn't deliver the mail", { description: error.message, tone: 'bad' }) },
    )
  return (
    <Button needs="edit" small icon={<RotateCw size={14} />} busy={deliver.isPending} onClick={onDeliver}>
      Retry
    </Button>
  )
}
