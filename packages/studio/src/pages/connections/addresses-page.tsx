import { MapPin } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import type { ChannelEndpoint } from '../../api/generated/resources.ts'
import { type FormField, withoutEmpty } from '../../resource/form-field.ts'
import { ResourceDialog } from '../../resource/resource-dialog.tsx'
import { NamedLink, ResourceList } from '../../resource/resource-list.tsx'
import { SubscriberLink } from '../../resource/subscriber-link.tsx'
import { useCursorList } from '../../resource/use-list.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { addressFieldsOf, addressTypes, firstValues, toAddress, typeName } from './address-fields.ts'
import { endpointKind, endpointsPath, toPage } from './connection-paths.ts'
import { useIntegrationChoice } from './integration-choice.ts'

const columns: readonly Column<ChannelEndpoint>[] = [
  {
    key: 'type',
    title: 'Address',
    show: ({ identifier, type }) => (
      <NamedLink to={toPage(endpointKind, identifier)} name={typeName(type)} id={identifier} />
    ),
  },
  {
    key: 'subscriber',
    title: 'Subscriber',
    show: ({ subscriberId }) => <SubscriberLink subscriberId={subscriberId} otherwise="Deleted" />,
  },
  {
    key: 'integration',
    title: 'Integration',
    wideOnly: true,
    show: ({ integrationIdentifier }) => integrationIdentifier ?? 'Deleted',
  },
  { key: 'at', title: 'Changed', wideOnly: true, end: true, show: ({ updatedAt }) => <TimeText at={updatedAt} /> },
]

/** Lists the addresses of subscribers at chat, phone and tool providers. */
export function AddressesPage(): ReactNode {
  const list = useCursorList<ChannelEndpoint>(endpointsPath, ['address', 'addresses'])
  return (
    <ResourceList
      title="Addresses"
      lead="Where subscribers receive chat messages and calls to tools. The API calls them channel endpoints."
      list={list}
      columns={columns}
      keyOf={({ identifier }) => identifier}
      create={{ text: 'New address', needs: 'administer', dialog: (close) => <NewAddress onClose={close} /> }}
      empty={
        <Empty icon={<MapPin size={20} />} title="No addresses yet">
          Create one here, or with <code>channelEndpoints.create()</code> of the API client.
        </Empty>
      }
    />
  )
}

const types = Object.entries(addressTypes).map(([value, { text }]) => ({ value, text }))

function NewAddress({ onClose }: { onClose(): void }): ReactNode {
  const [, navigate] = useLocation()
  const [type, setType] = useState('slack_channel')
  const { field: integration, first } = useIntegrationChoice()
  const addressFields = addressFieldsOf(type)
  const fields: readonly FormField[] = [
    { name: 'subscriberId', label: 'Subscriber', required: true, mono: true },
    integration,
    {
      name: 'connectionIdentifier',
      label: 'Connection',
      mono: true,
      placeholder: 'None',
      hint: 'The identifier of the workspace whose token is used.',
    },
    ...addressFields,
  ]
  return (
    <ResourceDialog
      title="New address"
      verb="Create"
      needs="administer"
      failure="Couldn't create the address"
      fields={fields}
      initial={{ integrationIdentifier: first, ...firstValues(addressFields) }}
      toRequest={({ subscriberId, integrationIdentifier, connectionIdentifier, ...values }) => ({
        method: 'POST',
        path: endpointsPath,
        body: withoutEmpty({
          ...{ subscriberId, integrationIdentifier, connectionIdentifier, type },
          endpoint: toAddress(addressFields, values),
        }),
      })}
      touches={[endpointsPath]}
      onSaved={({ identifier }: ChannelEndpoint) => navigate(toPage(endpointKind, identifier))}
      onClose={onClose}
    >
      <SelectField label="Type" value={type} options={types} onChange={setType} />
    </ResourceDialog>
  )
}
