import { MessagesSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AgentLine, ConversationLine } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import { type AddressState, useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CursorList } from '../../ui/data/cursor-list.tsx'
import { LoadedPanel } from '../../ui/data/loaded-panel.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { usePathNames } from '../../ui/path-names.ts'
import { Segments } from '../../ui/segments.tsx'
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
      <LoadedPanel what="the conversations" read={conversations} rows={6}>
        {(page) => <Conversations agentId={agentId} page={page} address={address} />}
      </LoadedPanel>
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
