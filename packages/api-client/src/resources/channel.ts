/** A kind of message. */
export type ChannelType = 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'tool'

/** Whether each channel is used. */
export type PreferenceChannels = { readonly [K in ChannelType]?: boolean }

/** How urgent a workflow's messages are. */
export type Severity = 'high' | 'medium' | 'low' | 'none'

/** Credentials of a channel; which ones apply depends on the provider. */
export interface ChannelCredentials {
  /** Webhook of a chat. */
  readonly webhookUrl?: string | undefined
  /** Name of a channel. */
  readonly channel?: string | undefined
  /** Tokens of devices. */
  readonly deviceTokens?: readonly string[] | undefined
  /** Identifier of an alert. */
  readonly alertUid?: string | undefined
  /** Title of an alert. */
  readonly title?: string | undefined
  /** Picture of an alert. */
  readonly imageUrl?: string | undefined
  /** State of an alert. */
  readonly state?: string | undefined
  /** Link of an alert. */
  readonly externalUrl?: string | undefined
}

/** The providers a subscriber can have credentials for. */
export type ChannelProvider =
  | 'slack'
  | 'discord'
  | 'msteams'
  | 'mattermost'
  | 'ryver'
  | 'zulip'
  | 'grafana-on-call'
  | 'getstream'
  | 'rocket-chat'
  | 'whatsapp-business'
  | 'fcm'
  | 'apns'
  | 'expo'
  | 'one-signal'
  | 'pushpad'
  | 'push-webhook'
  | 'pusher-beams'

/** A channel of a subscriber. */
export interface Channel {
  /** The provider. A newer service may know more than {@link ChannelProvider}. */
  readonly providerId: string
  /** The integration, by its own identifier. */
  readonly integrationIdentifier?: string
  /** The credentials the provider needs. */
  readonly credentials: ChannelCredentials
  /** The integration's id. */
  readonly _integrationId?: string
}

/** Credentials for one provider, as they are stored for a subscriber. */
export interface CredentialsBody {
  /** The provider. */
  readonly providerId: ChannelProvider
  /** The credentials it needs. */
  readonly credentials: ChannelCredentials
  /** The integration, where the provider has several. */
  readonly integrationIdentifier?: string | undefined
}
