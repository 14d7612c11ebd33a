import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ConversationLine } from '../../api/generated/resources.ts'
import { SubscriberLink } from '../../resource/subscriber-link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'

export interface ConversationTableProps {
  /** The accessible label. */
  readonly label: string
  readonly conversations: readonly ConversationLine[]
}

const columns: readonly Column<ConversationLine>[] = [
  {
    key: 'title',
    title: 'Conversation',
    show: ({ _id, agentId, title }) => (
      <Link to={`/agents/${toPathName(agentId)}/conversations/${toPathName(_id)}`}>
        {title === undefined || title === '' ? 'No messages yet' : title}
      </Link>
    ),
  },
  {
    key: 'subscriber',
    title: 'Subscriber',
    wideOnly: true,
    show: ({ subscriberId }) => <SubscriberLink subscriberId={subscriberId} />,
  },
  { key: 'platform', title: 'Platform', wideOnly: true, show: ({ platform }) => platform },
  { key: 'messages', title: 'Messages', wideOnly: true, end: true, show: ({ messageCount }) => messageCount },
  {
    key: 'status',
    title: 'Status',
    show: ({ status }) =>
      status === 'open' ? (
        <Badge tone="accent" dot>
          Open
        </Badge>
      ) : (
        <Badge tone="good" dot>
          Resolved
        </Badge>
      ),
  },
  {
    key: 'at',
    title: 'Last',
    wideOnly: true,
    end: true,
    show: ({ lastActivityAt }) => <TimeText at={lastActivityAt} />,
  },
]

/** A table of conversations. */
export function ConversationTable({ label, conversations }: ConversationTableProps): ReactNode {
  return <Table label={label} columns={columns} rows={conversations} keyOf={({ _id }) => _id} />
}
