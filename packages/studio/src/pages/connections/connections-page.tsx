import { Cable } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { ChannelConnection } from '../../api/generated/resources.ts'
import type { FormField } from '../../resource/form-field.ts'
import { ResourceDialog } from '../../resource/resource-dialog.tsx'
import { NamedLink, ResourceList } from '../../resource/resource-list.tsx'
import { SubscriberLink } from '../../resource/subscriber-link.tsx'
import { useCursorList } from '../../resource/use-list.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { connectionKind, connectionsPath, toPage } from './connection-paths.ts'
import { useIntegrationChoice } from './integration-choice.ts'
import { toWorkspace, workspaceFields } from './workspace-fields.ts'

const columns: readonly Column<ChannelConnection>[] = [
  {
    key: 'workspace',
    title: 'Workspace',
    show: ({ identifier, workspace: { id, name = id } }) => (
      <NamedLink to={toPage(connectionKind, identifier)} name={name} id={identifier} />
    ),
  },
  { key: 'integration', title: 'Integration', show: ({ integrationIdentifier }) => integrationIdentifier ?? 'Deleted' },
  {
    key: 'subscriber',
    title: 'Belongs to',
    wideOnly: true,
    show: ({ subscriberId }) => <SubscriberLink subscriberId={subscriberId} otherwise="All subscribers" />,
  },
  { key: 'at', title: 'Changed', wideOnly: true, end: true, show: ({ updatedAt }) => <TimeText at={updatedAt} /> },
]

/** Lists the connected workspaces of the environment. */
export function ConnectionsPage(): ReactNode {
  const list = useCursorList<ChannelConnection>(connectionsPath, ['connection', 'connections'])
  return (
    <ResourceList
      title="Connections"
      lead="Workspaces of chat providers, with the tokens to send to them."
      list={list}
      columns={columns}
      keyOf={({ identifier }) => identifier}
      create={{ text: 'New connection', needs: 'administer', dialog: (close) => <NewConnection onClose={close} /> }}
      empty={
        <Empty icon={<Cable size={20} />} title="No connections yet">
          Your app usually creates them when a customer connects a workspace, with{' '}
          <code>channelConnections.create()</code> of the API client.
        </Empty>
      }
    />
  )
}

function NewConnection({ onClose }: { onClose(): void }): ReactNode {
  const [, navigate] = useLocation()
  const { field: integration, first } = useIntegrationChoice()
  const fields: readonly FormField[] = [
    integration,
    {
      name: 'subscriberId',
      label: 'Subscriber',
      mono: true,
      placeholder: 'All subscribers',
      hint: 'Whose messages use this workspace.',
    },
    ...workspaceFields,
  ]
  return (
    <ResourceDialog
      title="New connection"
      verb="Create"
      needs="administer"
      failure="Couldn't create the connection"
      fields={fields}
      initial={{ integrationIdentifier: first }}
      toRequest={(values) => ({
        method: 'POST',
        path: connectionsPath,
        body: {
          integrationIdentifier: values['integrationIdentifier'],
          ...(values['subscriberId'] ? { subscriberId: values['subscriberId'] } : { connectionMode: 'shared' }),
          ...toWorkspace(values),
        },
      })}
      touches={[connectionsPath]}
      onSaved={({ identifier }: ChannelConnection) => navigate(toPage(connectionKind, identifier))}
      onClose={onClose}
    />
  )
}
