import { Plug, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Integration, Provider } from '../../api/generated/resources.ts'
import { integrationsPath } from '../../api/list-paths.ts'
import { BadgeRow, NamedLink, ResourceList } from '../../resource/resource-list.tsx'
import { useWholeList } from '../../resource/use-list.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { ChannelName, IntegrationStatus, useProviders } from './integration-kind.tsx'

/** Lists the integrations of the environment, by channel. */
export function IntegrationsPage(): ReactNode {
  const list = useWholeList<Integration>(integrationsPath)
  const providers = useProviders().data ?? []
  return (
    <ResourceList
      title="Integrations"
      lead="Providers that deliver messages. Messages of a channel without one are kept in the outbox."
      list={{ ...list, rows: list.rows && [...list.rows].sort(byChannel) }}
      columns={columnsOf(providers)}
      keyOf={({ _id }) => _id}
      actions={
        <ButtonLink variant="primary" icon={<Plus size={15} />} to="/integrations/new">
          New integration
        </ButtonLink>
      }
      empty={
        <Empty icon={<Plug size={20} />} title="No integrations yet">
          Add a provider for email, SMS, push or chat. In-app messages need none.
        </Empty>
      }
    />
  )
}

function columnsOf(providers: readonly Provider[]): readonly Column<Integration>[] {
  const nameOf = (providerId: string): string =>
    providers.find((one) => one.providerId === providerId)?.name ?? providerId
  return [
    {
      key: 'name',
      title: 'Integration',
      show: ({ _id, name, identifier }) => <NamedLink to={`/integrations/${_id}`} name={name} id={identifier} />,
    },
    { key: 'provider', title: 'Provider', wideOnly: true, show: ({ providerId }) => nameOf(providerId) },
    {
      key: 'channel',
      title: 'Channel',
      wideOnly: true,
      show: ({ channel }) => channel && <ChannelName channel={channel} />,
    },
    {
      key: 'status',
      title: 'Status',
      show: (integration) => (
        <BadgeRow>
          <IntegrationStatus {...integration} />
        </BadgeRow>
      ),
    },
    {
      key: 'at',
      title: 'Changed',
      wideOnly: true,
      end: true,
      show: ({ updatedAt }) => updatedAt !== undefined && <TimeText at={updatedAt} />,
    },
  ]
}

function byChannel(one: Integration, other: Integration): number {
  const order = (one.channel ?? '').localeCompare(other.channel ?? '')
  return order || Number(other.primary) - Number(one.primary) || one.name.localeCompare(other.name)
}
