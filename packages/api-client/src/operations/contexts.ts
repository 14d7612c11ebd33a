import type { ChannelType } from '../resources/channel.ts'
import type {
  ChannelConnection,
  ChannelEndpoint,
  ConnectionMode,
  Context,
  EndpointByType,
  EndpointType,
  NewChannelConnection,
  NewChannelEndpoint,
  NewContext,
  Workspace,
  WorkspaceAuth,
} from '../resources/context.ts'
import type { CursorPage, CursorQuery } from '../resources/page.ts'

/** Contexts of runs, each known by type and id. */
export interface ContextShapes {
  /** Lists them. */
  list: { query: CursorQuery & { id?: string; type?: string; search?: string }; result: CursorPage<Context> }
  /** Creates one. */
  create: { body: NewContext; result: Context }
  /** Returns one. */
  get: { result: Context }
  /** Replaces the fields of one that are given; a `bridgeUrl` of `null` takes it out. */
  update: {
    body: { readonly data?: object | undefined; readonly bridgeUrl?: string | null | undefined }
    result: Context
  }
  /** Deletes one. */
  delete: { result: undefined }
}

/** Connections of a workspace to a channel. */
export interface ChannelConnectionShapes {
  /** Lists them. */
  list: {
    query: CursorQuery & {
      subscriberId?: string
      connectionMode?: ConnectionMode
      channel?: ChannelType
      providerId?: string
      integrationIdentifier?: string
      contextKeys?: readonly string[]
    }
    result: CursorPage<ChannelConnection>
  }
  /** Creates one. */
  create: { body: NewChannelConnection; result: ChannelConnection }
  /** Returns one. */
  get: { result: ChannelConnection }
  /** Replaces the workspace and the tokens of one. */
  update: { body: { readonly workspace: Workspace; readonly auth: WorkspaceAuth }; result: ChannelConnection }
  /** Deletes one. */
  delete: { result: undefined }
}

/** Endpoints of a subscriber on a channel. */
export interface ChannelEndpointShapes {
  /** Lists them. */
  list: {
    query: CursorQuery & {
      subscriberId?: string
      channel?: ChannelType
      providerId?: string
      integrationIdentifier?: string
      connectionIdentifier?: string
      contextKeys?: readonly string[]
    }
    result: CursorPage<ChannelEndpoint>
  }
  /** Creates one. */
  create: { body: NewChannelEndpoint; result: ChannelEndpoint }
  /** Returns one. */
  get: { result: ChannelEndpoint }
  /** Replaces the address of one; its type stays. */
  update: { body: { readonly endpoint: EndpointByType[EndpointType] }; result: ChannelEndpoint }
  /** Deletes one. */
  delete: { result: undefined }
}

const contexts = {
  list: { method: 'GET', path: '/v2/contexts', paging: 'cursor' },
  create: { method: 'POST', path: '/v2/contexts', body: true },
  get: { method: 'GET', path: '/v2/contexts/{type}/{id}' },
  update: { method: 'PATCH', path: '/v2/contexts/{type}/{id}', body: true },
  delete: { method: 'DELETE', path: '/v2/contexts/{type}/{id}', answer: 'nothing' },
} as const

const connections = {
  list: { method: 'GET', path: '/v1/channel-connections', paging: 'cursor' },
  create: { method: 'POST', path: '/v1/channel-connections', body: true },
  get: { method: 'GET', path: '/v1/channel-connections/{identifier}' },
  update: { method: 'PATCH', path: '/v1/channel-connections/{identifier}', body: true },
  delete: { method: 'DELETE', path: '/v1/channel-connections/{identifier}', answer: 'nothing' },
} as const

const endpoints = {
  list: { method: 'GET', path: '/v1/channel-endpoints', paging: 'cursor' },
  create: { method: 'POST', path: '/v1/channel-endpoints', body: true },
  get: { method: 'GET', path: '/v1/channel-endpoints/{identifier}' },
  update: { method: 'PATCH', path: '/v1/channel-endpoints/{identifier}', body: true },
  delete: { method: 'DELETE', path: '/v1/channel-endpoints/{identifier}', answer: 'nothing' },
} as const

/** Every operation of {@link ContextShapes}. */
export const contextOperations: Readonly<typeof contexts> = Object.freeze(contexts)

/** Every operation of {@link ChannelConnectionShapes}. */
export const channelConnectionOperations: Readonly<typeof connections> = Object.freeze(connections)

/** Every operation of {@link ChannelEndpointShapes}. */
export const channelEndpointOperations: Readonly<typeof endpoints> = Object.freeze(endpoints)
