import { CheckCheck, MessagesSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Conversation } from '../../api/generated/resources.ts'
import { useRefusal } from '../../base/access.tsx'
import { useRead } from '../../session/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName, usePathNames } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Composer } from './composer.tsx'
import style from './conversation.module.css'
import { ConversationSide } from './conversation-side.tsx'
import { MessageList } from './message-list.tsx'
import { useActs } from './use-acts.ts'

/** Shows a conversation as a chat in which the user can take part. */
export function ConversationPage(): ReactNode {
  const { agentId = '', conversationId = '' } = usePathNames<{ agentId: string; conversationId: string }>()
  const read = useRead<Conversation>(`/v1/studio/conversations/${encodeURIComponent(conversationId)}`)
  const { data: conversation, error } = read
  const back = `/agents/${toPathName(agentId)}`
  const trail = [
    { to: '/agents', text: 'Agents' },
    { to: back, text: agentId },
  ]
  if (conversation) return <Loaded conversation={conversation} trail={trail} />
  return (
    <Page title="Conversation" trail={trail}>
      <Panel>
        {!error && <Skeleton rows={8} height={32} />}
        {error?.details.status === 404 && (
          <Empty
            icon={<MessagesSquare size={20} />}
            title="Conversation not found"
            action={<ButtonLink to={back}>All conversations</ButtonLink>}
          />
        )}
        {error && error.details.status !== 404 && (
          <Failure title="Couldn't load the conversation" error={error} onRetry={() => void read.refetch()} />
        )}
      </Panel>
    </Page>
  )
}

interface LoadedProps {
  readonly conversation: Conversation
  readonly trail: readonly { readonly to: string; readonly text: string }[]
}

function Loaded({ conversation, trail }: LoadedProps): ReactNode {
  const { _id, title, status, platform, summary } = conversation
  const acts = useActs(_id)
  const refusal = useRefusal('edit')
  const isReadOnly = platform !== 'web' || refusal !== undefined
  const isOpen = status === 'open'
  return (
    <Page
      title={title === undefined || title === '' ? 'New conversation' : title}
      trail={trail}
      wide
      aside={
        <Badge tone={isOpen ? 'accent' : 'good'} dot>
          {isOpen ? 'Open' : 'Resolved'}
        </Badge>
      }
      actions={
        isOpen && (
          <Button needs="edit" icon={<CheckCheck size={15} />} onClick={acts.resolve}>
            Resolve
          </Button>
        )
      }
    >
      <div className={style['columns']}>
        <Panel flush>
          <div className={style['chat']}>
            <MessageList conversation={conversation} acts={isReadOnly ? undefined : acts} />
            {!isOpen && (
              <p className={style['resolved']}>
                <CheckCheck size={15} aria-hidden />
                {summary === undefined ? 'Resolved' : `Resolved: ${summary}`}
              </p>
            )}
            {isReadOnly ? (
              <p className={style['elsewhere']}>
                {platform === 'web'
                  ? `${refusal}.`
                  : `This conversation takes place on ${platform}. Take part in it there.`}
              </p>
            ) : (
              <Composer key={_id} acts={acts} isOpen={isOpen} />
            )}
          </div>
        </Panel>
        <ConversationSide conversation={conversation} acts={acts} />
      </div>
    </Page>
  )
}
