import type { ReactNode } from 'react'
import type { ChannelConnection } from '../../api/generated/resources.ts'
import { ResourceForm } from '../../resource/resource-form.tsx'
import { Columns, DeleteResource, ResourcePage } from '../../resource/resource-page.tsx'
import { SubscriberLink } from '../../resource/subscriber-link.tsx'
import { useRead } from '../../session/queries.ts'
import { Facts } from '../../ui/data/facts.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { usePathNames } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { connectionsPath, connectionKind as kind } from './connection-paths.ts'
import { toWorkspace, workspaceFields } from './workspace-fields.ts'

/** Shows a connected workspace, and replaces its tokens. */
export function ConnectionPage(): ReactNode {
  const { identifier = '' } = usePathNames<{ identifier: string }>()
  const read = useRead<ChannelConnection>(`${connectionsPath}/${encodeURIComponent(identifier)}`)
  return (
    <ResourcePage kind={kind} title={identifier} read={read}>
      {(connection) => <Connection key={connection.identifier} connection={connection} />}
    </ResourcePage>
  )
}

function Connection({ connection }: { readonly connection: ChannelConnection }): ReactNode {
  const { identifier, workspace, integrationIdentifier, subscriberId, contextKeys, auth, createdAt } = connection
  const name = workspace.name ?? workspace.id
  const own = `${connectionsPath}/${encodeURIComponent(identifier)}`
  return (
    <Page
      title={name}
      trail={[kind.list]}
      actions={
        <DeleteResource
          kind={kind}
          name={name}
          path={own}
          touches={[connectionsPath]}
          needs="administer"
          consequence="Its tokens are deleted. Messages to addresses that use it fail."
        />
      }
    >
      <Columns
        main={
          <Panel title="Workspace and tokens">
            <ResourceForm
              needs="administer"
              failure="Couldn't save the connection"
              fields={workspaceFields}
              initial={{ ...workspace }}
              toRequest={(values) => ({ method: 'PATCH', path: own, body: toWorkspace(values) })}
              touches={[connectionsPath]}
            />
          </Panel>
        }
        side={
          <Panel title="Facts">
            <Facts
              facts={[
                ['Identifier', <code key="identifier">{identifier}</code>],
                ['Integration', integrationIdentifier ?? 'Deleted'],
                [
                  'Belongs to',
                  <SubscriberLink key="subscriber" subscriberId={subscriberId} otherwise="All subscribers" />,
                ],
                ['Contexts', contextKeys.join(', ')],
                ['Token expires', auth.expiresAt && <TimeText at={auth.expiresAt} />],
                ['Created', <TimeText key="created" at={createdAt} />],
              ]}
            />
          </Panel>
        }
      />
    </Page>
  )
}
