import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ChannelEndpoint } from '../../api/generated/resources.ts'
import { ResourceForm } from '../../resource/resource-form.tsx'
import { Columns, DeleteResource, ResourcePage } from '../../resource/resource-page.tsx'
import { SubscriberLink } from '../../resource/subscriber-link.tsx'
import { useRead } from '../../session/queries.ts'
import { Facts } from '../../ui/data/facts.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { usePathNames } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { addressFieldsOf, toAddress, toValues, typeName } from './address-fields.ts'
import { connectionKind, endpointsPath, endpointKind as kind, toPage } from './connection-paths.ts'

/** Shows and edits the address of a subscriber at a provider. */
export function AddressPage(): ReactNode {
  const { identifier = '' } = usePathNames<{ identifier: string }>()
  const read = useRead<ChannelEndpoint>(`${endpointsPath}/${encodeURIComponent(identifier)}`)
  return (
    <ResourcePage kind={kind} title={identifier} read={read}>
      {(endpoint) => <Address key={endpoint.identifier} endpoint={endpoint} />}
    </ResourcePage>
  )
}

function Address({ endpoint: { endpoint, ...facts } }: { readonly endpoint: ChannelEndpoint }): ReactNode {
  const { identifier, type, subscriberId, integrationIdentifier, connectionIdentifier, contextKeys, createdAt } = facts
  const own = `${endpointsPath}/${encodeURIComponent(identifier)}`
  const fields = addressFieldsOf(type)
  return (
    <Page
      title={typeName(type)}
      trail={[kind.list]}
      actions={
        <DeleteResource
          kind={kind}
          name={identifier}
          path={own}
          touches={[endpointsPath]}
          needs="administer"
          consequence="The subscriber receives no more messages there."
        />
      }
    >
      <Columns
        main={
          <Panel title="Address">
            <ResourceForm
              needs="administer"
              failure="Couldn't save the address"
              fields={fields}
              initial={toValues(fields, endpoint)}
              toRequest={(values) => ({ method: 'PATCH', path: own, body: { endpoint: toAddress(fields, values) } })}
              touches={[endpointsPath]}
            />
          </Panel>
        }
        side={
          <Panel title="Facts">
            <Facts
              facts={[
                ['Identifier', <code key="identifier">{identifier}</code>],
                ['Subscriber', <SubscriberLink key="subscriber" subscriberId={subscriberId} otherwise="Deleted" />],
                ['Integration', integrationIdentifier ?? 'Deleted'],
                [
                  'Connection',
                  connectionIdentifier !== null && (
                    <Link to={toPage(connectionKind, connectionIdentifier)}>{connectionIdentifier}</Link>
                  ),
                ],
                ['Contexts', contextKeys.join(', ')],
                ['Created', <TimeText key="created" at={createdAt} />],
              ]}
            />
          </Panel>
        }
      />
    </Page>
  )
}
