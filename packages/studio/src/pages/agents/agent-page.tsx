import { MessagesSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AgentLine, ConversationLine } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import { type AddressState, useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CursorList } from '../../ui/data/cursor-list.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { usePathNames } from '../../ui/path-names.ts'
import { Segments } from '../../ui/segments.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import style from './agents.module.css'
import { ConversationTable } from './conversation-table.tsx'
import { NewConversation } from './new-conversation.tsx'

const pageSize = 20
const trail = [{ to: '/agents', text: 'Agents' }]

/** Lists all conversations of an agent, the most recently active first. */
export function AgentPage(): ReactNode {
  const { agentId = '' } = usePathNames<{ agentId: string }>()
  const address = useAddress()
  const status = address.get('status')
  const agents = useRead<readonly AgentLine[]>('/v1/studio/agents')
  const conversations = useRead<CursorPage<ConversationLine>>('/v1/studio/conversations', {
    query: { agentId, status, ...address.cursor, limit: pageSize },
    keep: true,
  })
  const isServed = agents.data?.some((agent) => agent.agentId === agentId) ?? true
  return (
    <Page
      title={agentId}
      trail={trail}
      lead="Its conversations, most recent first."
      actions={isServed && <NewConversation agentId={agentId} variant="primary" />}
    >
      {!isServed && (
        <Notice tone="warn" title="The bridge does not serve this agent">
          <p>The last sync did not include it. Its conversations are kept, but messages in them are not answered.</p>
        </Notice>
      )}
      <Segments
        label="Status"
        value={status ?? 'all'}
        onChange={(chosen) => address.choose({ status: chosen === 'all' ? undefined : chosen })}
        options={[
          { value: 'all', text: 'All' },
          { value: 'open', text: 'Open' },
          { value: 'resolved', text: 'Resolved' },
        ]}
      />
      {conversations.error && (
        <Failure
          title="Couldn't load the conversations"
          error={conversations.error}
          onRetry={() => void conversations.refetch()}
        />
      )}
      {(conversations.data || !conversations.error) && (
        <Panel flush>
          {conversations.data ? (
            <Conversations agentId={agentId} page={conversations.data} address={address} />
          ) : (
            <div className={style['inset']}>
              <Skeleton rows={6} height={28} />
            </div>
          )}
        </Panel>
      )}
    </Page>
  )
}

interface ConversationsProps {
  readonly agentId: string
  readonly page: CursorPage<ConversationLine>
  readonly address: AddressState
}

function Conversations({ agentId, page, address }: ConversationsProps): ReactNode {
  return (
    <CursorList
      page={page}
      address={address}
      nouns={['conversation', 'conversations']}
      empty={<NoConversations address={address} />}
    >
      <ConversationTable label={`Conversations of ${agentId}`} conversations={page.data} />
    </CursorList>
  )
}

function NoConversations({ address }: { readonly address: AddressState }): ReactNode {
  if (address.get('status') !== undefined)
    return (
      <Empty
        icon={<MessagesSquare size={20} />}
        title={`No ${address.get('status')} conversations`}
        action={<Button onClick={() => address.choose({ status: undefined })}>Show all</Button>}
      />
    )
  return (
    <Empty icon={<MessagesSquare size={20} />} title="No conversations yet">
      Start a conversation, and send a message as a user would.
    </Empty>
  )
}
