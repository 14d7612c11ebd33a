import { Play, Rss } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Topic } from '../../api/generated/resources.ts'
import { topicPaths } from '../../api/list-paths.ts'
import { DeleteResource, type ResourceKind } from '../../resource/resource-page.tsx'
import { useRead } from '../../session/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { usePathNames } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TopicSubscribers } from './topic-subscribers.tsx'

const kind: ResourceKind = { noun: 'topic', list: { to: '/topics', text: 'Topics' } }

/** Shows a topic with its subscribers, which can be added and removed. */
export function TopicPage(): ReactNode {
  const { topicKey = '' } = usePathNames<{ topicKey: string }>()
  const path = `/v2/topics/${encodeURIComponent(topicKey)}`
  const read = useRead<Topic>(path)
  const { data: topic, error } = read
  return (
    <Page
      title={topic?.name ?? topicKey}
      trail={[kind.list]}
      lead={topic?.name !== undefined && <code>{topicKey}</code>}
      actions={
        topic && (
          <>
            <DeleteResource
              kind={kind}
              name={topicKey}
              path={path}
              touches={topicPaths}
              consequence="Its subscriptions are removed. Its subscribers are kept."
            />
            <ButtonLink
              to={`/trigger?topic=${encodeURIComponent(topicKey)}`}
              variant="primary"
              icon={<Play size={15} />}
            >
              Trigger a workflow
            </ButtonLink>
          </>
        )
      }
    >
      {topic && <TopicSubscribers key={path} path={path} />}
      {!topic && (
        <Panel>
          {!error && <Skeleton rows={5} height={28} />}
          {error?.details.status === 404 && (
            <Empty
              icon={<Rss size={20} />}
              title="Topic not found"
              action={<ButtonLink to="/topics">All topics</ButtonLink>}
            >
              Subscribing someone to <code>{topicKey}</code> creates it.
            </Empty>
          )}
          {error && error.details.status !== 404 && (
            <Failure title="Couldn't load the topic" error={error} onRetry={() => void read.refetch()} />
          )}
        </Panel>
      )}
    </Page>
  )
}
