import type { CursorPage, CursorQuery } from '../resources/page.ts'
import type { JsonObject } from './operation.ts'

/** Contexts of runs, each known by type and id. */
export interface ContextShapes {
  /** Lists them. */
  list: { query: CursorQuery & { id?: string; search?: string }; result: CursorPage<JsonObject> }
  /** Creates one. */
  create: { body: JsonObject & { readonly type: string; readonly id: string }; result: JsonObject }
  /** Gives one. */
  get: { result: JsonObject }
  /** Changes one. */
  update: { body: JsonObject; result: JsonObject }
  /** Deletes one. */
  delete: { result: undefined }
}

/** Connections of a workspace to a channel. */
export interface ChannelConnectionShapes {
  /** Lists them. */
  list: {
    query: CursorQuery & {
      subscriberId?: string
      connectionMode?: 'subscriber' | 'shared'
      channel?: string
      providerId?: string
      integrationIdentifier?: string
      contextKeys?: readonly string[]
    }
    result: CursorPage<JsonObject>
  }
  /** Creates one. */
  create: { body: JsonObject; result: JsonObject }
  /** Gives one. */
  get: { result: JsonObject }
  /** Changes one. */
  update: { body: JsonObject; result: JsonObject }
  /** Deletes one. */
  delete: { result: undefined }
}

/** Endpoints of a subscriber on a channel. */
export interface ChannelEndpointShapes {
  /** Lists them. */
  list: {
    query: CursorQuery & {
      subscriberId?: string
      channel?: string
      providerId?: string
      integrationIdentifier?: string
      connectionIdentifier?: string
      contextKeys?: readonly string[]
    }
    result: CursorPage<JsonObject>
  }
  /** Creates one. */
  create: { body: JsonObject; result: JsonObject }
  /** Gives one. */
  get: { result: JsonObject }
  /** Changes one. */
  update: { body: JsonObject; result: JsonObject }
  /** Deletes one. */
  delete: { result: undefined }
}

const contexts = {
  list: { method: 'GET', path: '/v2/contexts', paging: 'cursor' },
  create: { method: 'POST', path: '/v2/contexts' },
  get: { method: 'GET', path: '/v2/contexts/{type}/{id}' },
  update: { method: 'PATCH', path: '/v2/contexts/{type}/{id}' },
  delete: { method: 'DELETE', path: '/v2/contexts/{type}/{id}' },
} as const

const connections = {
  list: { method: 'GET', path: '/v1/channel-connections', paging: 'cursor' },
  create: { method: 'POST', path: '/v1/channel-connections' },
  get: { method: 'GET', path: '/v1/channel-connections/{identifier}' },
  update: { method: 'PATCH', path: '/v1/channel-connections/{identifier}' },
  delete: { method: 'DELETE', path: '/v1/channel-connections/{identifier}' },
} as const

const endpoints = {
  list: { method: 'GET', path: '/v1/channel-endpoints', paging: 'cursor' },
  create: { method: 'POST', path: '/v1/channel-endpoints' },
  get: { method: 'GET', path: '/v1/channel-endpoints/{identifier}' },
  update: { method: 'PATCH', path: '/v1/channel-endpoints/{identifier}' },
  delete: { method: 'DELETE', path: '/v1/channel-endpoints/{identifier}' },
} as const

/** Every operation of {@link ContextShapes}. */
export const contextOperations: Readonly<typeof contexts> = Object.freeze(contexts)

/** Every operation of {@link ChannelConnectionShapes}. */
export const channelConnectionOperations: Readonly<typeof connections> = Object.freeze(connections)

/** Every operation of {@link ChannelEndpointShapes}. */
export const channelEndpointOperations: Readonly<typeof endpoints> = Object.freeze(endpoints)
