import { Bot } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { AgentLine, ConversationLine } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import { useRead } from '../../session/queries.ts'
import { CodeBlock } from '../../ui/data/code-block.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import style from './agents.module.css'
import { ConversationTable } from './conversation-table.tsx'
import { NewConversation } from './new-conversation.tsx'

const shownOfEach = 5
const example = `import { agent } from '@trestle/core/agents'

const support = agent('support', {
  onMessage: async ({ message, reply }) => {
    await reply(\`You said: \${message.text}\`)
  },
})

serve({ workflows, agents: [support] })`

/** Lists the agents of the bridge, each with its latest conversations. */
export function AgentsPage(): ReactNode {
  const agents = useRead<readonly AgentLine[]>('/v1/studio/agents')
  return (
    <Page title="Agents" lead="Talk to your app's agents, as users do in a chat.">
      {agents.error && (
        <Failure title="Couldn't load the agents" error={agents.error} onRetry={() => void agents.refetch()} />
      )}
      {!agents.data && !agents.error && (
        <Panel>
          <Skeleton rows={5} height={28} />
        </Panel>
      )}
      {agents.data?.length === 0 && <NoAgents />}
      {agents.data?.map((agent, index) => (
        <AgentPanel key={agent.agentId} agent={agent} isFirst={index === 0} />
      ))}
    </Page>
  )
}

function AgentPanel({ agent, isFirst }: { readonly agent: AgentLine; readonly isFirst: boolean }): ReactNode {
  const { agentId, conversations } = agent
  const latest = useRead<CursorPage<ConversationLine>>('/v1/studio/conversations', {
    query: { agentId, limit: shownOfEach },
  })
  return (
    <Panel
      title={<Link to={`/agents/${toPathName(agentId)}`}>{agentId}</Link>}
      aside={
        <span className={style['count']}>
          {conversations} {conversations === 1 ? 'conversation' : 'conversations'}
        </span>
      }
      actions={<NewConversation agentId={agentId} variant={isFirst ? 'primary' : 'plain'} />}
      flush
    >
      {latest.error && (
        <div className={style['inset']}>
          <Failure title="Couldn't load the conversations" error={latest.error} onRetry={() => void latest.refetch()} />
        </div>
      )}
      {!latest.data && !latest.error && (
        <div className={style['inset']}>
          <Skeleton rows={2} height={28} />
        </div>
      )}
      {latest.data && latest.data.data.length === 0 && (
        <p className={style['none']}>No conversations yet. Start one and send a message.</p>
      )}
      {latest.data && latest.data.data.length > 0 && (
        <ConversationTable label={`Conversations of ${agentId}`} conversations={latest.data.data} />
      )}
      {latest.data && latest.data.totalCount > shownOfEach && (
        <p className={style['all']}>
          <Link to={`/agents/${toPathName(agentId)}`}>All {latest.data.totalCount} conversations</Link>
        </p>
      )}
    </Panel>
  )
}

function NoAgents(): ReactNode {
  return (
    <Panel>
      <Empty icon={<Bot size={20} />} title="Your app serves no agents">
        An agent talks to users in conversations. Write one and mount it next to your workflows; the next sync finds it.
      </Empty>
      <CodeBlock text={example} label="an agent" />
    </Panel>
  )
}
