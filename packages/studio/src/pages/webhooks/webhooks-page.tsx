import { Webhook } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { WebhookEndpoint } from '../../api/generated/resources.ts'
import { NamedLink, ResourceList } from '../../resource/resource-list.tsx'
import { useCursorList } from '../../resource/use-list.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { EndpointStatus } from './endpoint-status.tsx'
import { endpointFields, toEndpointBody } from './event-types.ts'
import { SecretDialog } from './secret-dialog.tsx'

const path = '/v1/webhook-endpoints'

const columns: readonly Column<WebhookEndpoint>[] = [
  {
    key: 'url',
    title: 'Endpoint',
    show: ({ _id, url, description }) => <NamedLink to={`/webhooks/${_id}`} name={description || url} id={url} />,
  },
  { key: 'events', title: 'Events', wideOnly: true, rest: true, show: ({ eventTypes }) => toLine(eventTypes) },
  { key: 'status', title: 'Status', show: (endpoint) => <EndpointStatus {...endpoint} /> },
  { key: 'at', title: 'Changed', wideOnly: true, end: true, show: ({ updatedAt }) => <TimeText at={updatedAt} /> },
]

const toLine = (types: readonly string[]): ReactNode => (types.length === 0 ? 'All' : <code>{types.join(', ')}</code>)

/** Lists the webhook endpoints of the environment. */
export function WebhooksPage(): ReactNode {
  const list = useCursorList<WebhookEndpoint>(path, ['endpoint', 'endpoints'])
  return (
    <ResourceList
      title="Webhooks"
      lead="URLs of your app that receive events about messages and runs."
      list={list}
      columns={columns}
      keyOf={({ _id }) => _id}
      create={{ text: 'New endpoint', needs: 'administer', dialog: (close) => <NewEndpoint onClose={close} /> }}
      empty={
        <Empty icon={<Webhook size={20} />} title="No endpoints yet">
          Add one to be notified of bounces, failed runs and other events.
        </Empty>
      }
    />
  )
}

function NewEndpoint({ onClose }: { onClose(): void }): ReactNode {
  const [, navigate] = useLocation()
  return (
    <SecretDialog
      title="New endpoint"
      verb="Add"
      failure="Couldn't add the endpoint"
      done="The endpoint was added"
      path={path}
      fields={endpointFields}
      toBody={toEndpointBody}
      onClose={(endpoint) => {
        onClose()
        if (endpoint) navigate(`/webhooks/${endpoint._id}`)
      }}
    >
      <p>Choose events, or none to receive all of them.</p>
    </SecretDialog>
  )
}
