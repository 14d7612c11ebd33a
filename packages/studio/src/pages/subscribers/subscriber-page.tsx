import { Play, UserX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Subscriber } from '../../api/generated/resources.ts'
import { subscriberPaths } from '../../api/list-paths.ts'
import { nameOf } from '../../api/subscriber-name.ts'
import { DeleteResource, type ResourceKind } from '../../resource/resource-page.tsx'
import { useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { usePathNames } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Inbox } from './inbox.tsx'
import { MessageList } from './message-list.tsx'
import { PreferenceTable } from './preference-table.tsx'
import { Profile } from './profile.tsx'
import { SubscriptionList } from './subscription-list.tsx'

const path = '/v2/subscribers'
const kind: ResourceKind = { noun: 'subscriber', list: { to: '/subscribers', text: 'Subscribers' } }
const trail = [kind.list]

/** Shows a subscriber: the inbox, preferences and messages. */
export function SubscriberPage(): ReactNode {
  const { subscriberId = '' } = usePathNames<{ subscriberId: string }>()
  const read = useRead<Subscriber>(`${path}/${encodeURIComponent(subscriberId)}`)
  const { data: subscriber, error } = read
  if (subscriber) return <LoadedSubscriber key={subscriberId} subscriber={subscriber} />
  return (
    <Page title={subscriberId} trail={trail}>
      <Panel>
        {!error && <Skeleton rows={6} height={28} />}
        {error?.details.status === 404 && (
          <Empty
            icon={<UserX size={20} />}
            title="Subscriber not found"
            action={
              <ButtonLink to={`/trigger?subscriber=${encodeURIComponent(subscriberId)}`}>Trigger a workflow</ButtonLink>
            }
          >
            A trigger for <code>{subscriberId}</code> creates it.
          </Empty>
        )}
        {error && error.details.status !== 404 && (
          <Failure title="Couldn't load the subscriber" error={error} onRetry={() => void read.refetch()} />
        )}
      </Panel>
    </Page>
  )
}

function LoadedSubscriber({ subscriber }: { readonly subscriber: Subscriber }): ReactNode {
  const address = useAddress()
  const { subscriberId } = subscriber
  const name = nameOf(subscriber)
  return (
    <Page
      title={name}
      trail={trail}
      lead={name === subscriberId ? subscriber.email : [subscriberId, subscriber.email].filter(Boolean).join(' · ')}
      actions={
        <>
          <DeleteResource
            kind={kind}
            name={subscriberId}
            path={`${path}/${encodeURIComponent(subscriberId)}`}
            touches={subscriberPaths}
            consequence="The profile, preferences and subscriptions are removed. A trigger creates the subscriber again."
          />
          <ButtonLink
            to={`/trigger?subscriber=${encodeURIComponent(subscriberId)}`}
            variant="primary"
            icon={<Play size={15} />}
          >
            Trigger a workflow
          </ButtonLink>
        </>
      }
    >
      <Panel flush>
        <Tabs
          label="The subscriber"
          value={address.get('tab') ?? 'inbox'}
          onChange={(tab) => address.choose({ tab: tab === 'inbox' ? undefined : tab })}
          tabs={[
            { key: 'inbox', text: 'Inbox', content: <Inbox subscriberId={subscriberId} /> },
            { key: 'preferences', text: 'Preferences', content: <PreferenceTable subscriberId={subscriberId} /> },
            { key: 'messages', text: 'Messages', content: <MessageList subscriberId={subscriberId} /> },
            { key: 'topics', text: 'Topics', content: <SubscriptionList subscriberId={subscriberId} /> },
            { key: 'profile', text: 'Profile', content: <Profile subscriber={subscriber} /> },
          ]}
        />
      </Panel>
    </Page>
  )
}
