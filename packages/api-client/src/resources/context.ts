import type { ChannelType } from './channel.ts'
import type { JsonObject } from './json-object.ts'

/** A context of a run: its id, or the id with free fields. */
export type ContextValue = string | { readonly id: string; readonly data?: object | undefined }

/** Contexts by type, such as `{ tenant: 'acme' }`. */
export type ContextMap = Readonly<Record<string, ContextValue>>

/** A stored context. */
export interface Context {
  /** The type, such as `tenant`. */
  readonly type: string
  /** The id, unique within its type. */
  readonly id: string
  /** Free fields. */
  readonly data: JsonObject
  /** The bridge that is called in this context. */
  readonly bridgeUrl?: string
  /** When it was created. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
}

/** A new context. */
export interface NewContext {
  /** The type: lower-case letters, digits and separators. */
  readonly type: string
  /** The id: lower-case letters, digits and separators. */
  readonly id: string
  /** Free fields. */
  readonly data?: object | undefined
  /** The bridge that is called in this context. */
  readonly bridgeUrl?: string | undefined
}

/** A workspace of a chat service. */
export interface Workspace {
  /** The service's id of it. */
  readonly id: string
  /** Name for people. */
  readonly name?: string | undefined
  /** The service's bot in it. */
  readonly botUserId?: string | undefined
}

/** The tokens of a workspace. */
export interface WorkspaceAuth {
  /** The access token. */
  readonly accessToken: string
  /** The refresh token. */
  readonly refreshToken?: string | undefined
  /** When the access token ends. */
  readonly expiresAt?: string | undefined
  /** When the refresh token ends. */
  readonly refreshTokenExpiresAt?: string | undefined
}

/** Whether a connection belongs to one subscriber or to all. */
export type ConnectionMode = 'subscriber' | 'shared'

/** A connection of a workspace to a channel. */
export interface ChannelConnection {
  /** Its own identifier. */
  readonly identifier: string
  /** The channel; `null` where the integration has none. */
  readonly channel: ChannelType | null
  /** The provider; `null` where the integration has none. */
  readonly providerId: string | null
  /** The integration; `null` where it is gone. */
  readonly integrationIdentifier: string | null
  /** The subscriber it belongs to; `null` where it is shared. */
  readonly subscriberId: string | null
  /** The contexts it applies to. */
  readonly contextKeys: readonly string[]
  /** The workspace. */
  readonly workspace: Workspace
  /** The tokens. */
  readonly auth: WorkspaceAuth
  /** When it was created. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
}

/** A new connection of a workspace to a channel. */
export interface NewChannelConnection {
  /** The integration. */
  readonly integrationIdentifier: string
  /** The workspace. */
  readonly workspace: Workspace
  /** The tokens. */
  readonly auth: WorkspaceAuth
  /** Its own identifier. @default one of the service */
  readonly identifier?: string | undefined
  /** The subscriber it belongs to. */
  readonly subscriberId?: string | undefined
  /** The contexts it applies to. */
  readonly context?: ContextMap | undefined
  /** Whether it belongs to one subscriber or to all. */
  readonly connectionMode?: ConnectionMode | undefined
}

/** The address of each type of endpoint. */
export interface EndpointByType {
  /** A channel of Slack. */
  slack_channel: { readonly channelId: string }
  /** A user of Slack. */
  slack_user: { readonly userId: string }
  /** A webhook. */
  webhook: { readonly url: string; readonly channel?: string | undefined }
  /** A phone. */
  phone: { readonly phoneNumber: string }
  /** A channel of Microsoft Teams. */
  ms_teams_channel: { readonly teamId: string; readonly channelId: string }
  /** A user of Microsoft Teams. */
  ms_teams_user: { readonly userId: string }
}

/** A type of endpoint. */
export type EndpointType = keyof EndpointByType

/** An endpoint of a subscriber on a channel. */
export interface ChannelEndpoint {
  /** Its own identifier. */
  readonly identifier: string
  /** The channel; `null` where the integration has none. */
  readonly channel: ChannelType | null
  /** The provider; `null` where the integration has none. */
  readonly providerId: string | null
  /** The integration; `null` where it is gone. */
  readonly integrationIdentifier: string | null
  /** The connection; `null` where it needs none. */
  readonly connectionIdentifier: string | null
  /** The subscriber; `null` where it is gone. */
  readonly subscriberId: string | null
  /** The contexts it applies to. */
  readonly contextKeys: readonly string[]
  /** The type. A newer service may know more than {@link EndpointType}. */
  readonly type: string
  /** The address; its fields depend on the type. */
  readonly endpoint: JsonObject
  /** When it was created. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
}

/** A new endpoint of a subscriber on a channel. */
export type NewChannelEndpoint = {
  readonly [TType in EndpointType]: {
    /** The subscriber. */
    readonly subscriberId: string
    /** The integration. */
    readonly integrationIdentifier: string
    /** The type. */
    readonly type: TType
    /** The address. */
    readonly endpoint: EndpointByType[TType]
    /** Its own identifier. @default one of the service */
    readonly identifier?: string | undefined
    /** The connection. */
    readonly connectionIdentifier?: string | undefined
    /** The contexts it applies to. */
    readonly context?: ContextMap | undefined
    /** Whether a subscriber that does not exist is created. @default false */
    readonly createSubscriberIfMissing?: boolean | undefined
  }
}[EndpointType]
