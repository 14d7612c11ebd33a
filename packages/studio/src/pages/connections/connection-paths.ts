import type { ResourceKind } from '../../resource/resource-page.tsx'
import { toPathName } from '../../ui/path-names.ts'

export const connectionsPath = '/v1/channel-connections'
export const endpointsPath = '/v1/channel-endpoints'

export const connectionKind: ResourceKind = { noun: 'connection', list: { to: '/connections', text: 'Connections' } }
export const endpointKind: ResourceKind = { noun: 'address', list: { to: '/addresses', text: 'Addresses' } }

/** Returns the page of a connection or address. */
export const toPage = ({ list }: ResourceKind, identifier: string): string => `${list.to}/${toPathName(identifier)}`
