import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Channel, ChannelEndpoint, Subscriber } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { useRead } from '../../session/queries.ts'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Failure } from '../../ui/notice.tsx'
import { typeName } from '../connections/address-fields.ts'
import { endpointKind, endpointsPath, toPage } from '../connections/connection-paths.ts'
import style from './subscribers.module.css'

interface AddressLine {
  readonly key: string
  /** The identifier of the channel endpoint; absent for a credential of the subscriber. */
  readonly identifier?: string
  readonly provider: string
  readonly integration: string | undefined
  readonly kind: string
  readonly value: string
}

const columns: readonly Column<AddressLine>[] = [
  { key: 'provider', title: 'Provider', show: ({ provider }) => provider },
  { key: 'integration', title: 'Integration', wideOnly: true, show: ({ integration }) => integration ?? 'All' },
  {
    key: 'kind',
    title: 'Kind',
    show: ({ kind, identifier }) =>
      identifier === undefined ? kind : <Link to={toPage(endpointKind, identifier)}>{kind}</Link>,
  },
  { key: 'value', title: 'Value', show: ({ value }) => <code>{shorten(value)}</code> },
]

/** Lists the devices, chats and webhooks of a subscriber. The app stores them through the API. */
export function AddressList({
  subscriber: { subscriberId, channels },
}: {
  readonly subscriber: Subscriber
}): ReactNode {
  const endpoints = useRead<CursorPage<ChannelEndpoint>>(endpointsPath, {
    query: { subscriberId, limit: 100 },
  })
  const lines = [...channels.flatMap(linesOf), ...(endpoints.data?.data ?? []).map(lineOf)]
  return (
    <section className={style['addresses']}>
      <h2>Devices and chats</h2>
      {endpoints.error && <Failure title="Couldn't load the chats" error={endpoints.error} />}
      {lines.length > 0 ? (
        <Table label="Devices and chats" columns={columns} rows={lines} keyOf={({ key }) => key} />
      ) : (
        endpoints.data && (
          <p>
            None. Your app stores device tokens and webhooks in the subscriber's credentials, and chats as{' '}
            <Link to={endpointKind.list.to}>addresses</Link>.
          </p>
        )
      )}
    </section>
  )
}

const kinds: Readonly<Record<string, string>> = {
  webhookUrl: 'Webhook',
  channel: 'Chat',
  deviceTokens: 'Device',
}

function linesOf({ providerId, integrationIdentifier, credentials }: Channel, index: number): readonly AddressLine[] {
  return Object.entries(credentials).flatMap(([name, value]) =>
    [value].flat().map((one, at) => ({
      key: `${index} ${name} ${at}`,
      provider: providerId,
      integration: integrationIdentifier,
      kind: ownEntry(kinds, name) ?? name,
      value: String(one),
    })),
  )
}

function lineOf({ identifier, providerId, integrationIdentifier, type, endpoint }: ChannelEndpoint): AddressLine {
  return {
    key: identifier,
    identifier,
    provider: providerId ?? '–',
    integration: integrationIdentifier ?? undefined,
    kind: typeName(type),
    value: Object.values(endpoint).map(String).join(', '),
  }
}

/** Tokens and webhooks are secrets, so only their start and end are shown. */
function shorten(value: string): string {
  return value.length > 32 ? `${value.slice(0, 20)}…${value.slice(-4)}` : value
}
