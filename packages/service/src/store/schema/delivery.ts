import type { Flag, Id, JsonText, Millis } from './column.ts'

/** A configured delivery provider. */
export interface IntegrationRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The identifier, chosen by the caller; unique in the environment. */
  identifier: string
  /** Such as `nodemailer`. */
  providerId: string
  /** `email`, `sms`, `push`, `chat`, `in_app` or `tool`. */
  channel: string
  name: string
  /** The kind of integration, if the caller set one. */
  kind: string | null
  /** Whether it is used. */
  active: Flag
  /** Whether it is the primary integration of its channel. */
  isPrimary: Flag
  /** The priority among integrations of the channel, highest first. */
  priority: number
  /** The encrypted credentials, an object. */
  credentials: string
  /** Further settings, an object. */
  configurations: JsonText
  /** The conditions for its use, a list. */
  conditions: JsonText
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A layout for emails. */
export interface LayoutRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The identifier, chosen by the caller; unique in the environment. */
  identifier: string
  name: string
  description: string | null
  /** The content, with a placeholder for the email's body. */
  content: string
  /** The variables of the content, a list. */
  variables: JsonText
  /** Control values of the second version of the API, an object. */
  controlValues: JsonText
  /** Whether it is used for emails that do not name a layout. */
  isDefault: Flag
  /** Whether its texts are translated. */
  isTranslationEnabled: Flag
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** The translations of one language. */
export interface TranslationRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The kind of resource that the translations belong to, such as `workflow` or `layout`. */
  resourceType: string
  /** The identifier of the resource; unique with environment, type and locale. */
  resourceId: string
  /** Language, such as `en_US`. */
  locale: string
  /** The translations, an object that may be nested. */
  content: JsonText
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A variable of an environment. */
export interface VariableRow {
  /** Its id. Primary key with `environmentId`. */
  variableId: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Its name; unique in the environment. */
  key: string
  type: string
  /** Whether its value is masked when read. */
  isSecret: Flag
  /** The encrypted value; null if it has none. */
  value: string | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A context of runs, such as an account or a project. */
export interface ContextRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Its type; unique with `contextId` in the environment. */
  type: string
  /** The identifier, chosen by the caller. */
  contextId: string
  /** Free-form data, an object. */
  data: JsonText
  /** The bridge that serves runs of this context. */
  bridgeUrl: string | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A connection of a workspace, such as a Slack workspace, to a channel. */
export interface ChannelConnectionRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The identifier, chosen by the caller; unique in the environment. */
  identifier: string
  /** The identifier of its integration. */
  integrationIdentifier: string | null
  /** The integration's provider. */
  providerId: string | null
  /** The integration's channel. */
  channel: string | null
  /** The subscriber id, chosen by the app; null for a shared connection. */
  subscriberId: string | null
  /** A list of `type:id`. */
  contextKeys: JsonText
  /** `{ id, name?, botUserId? }`. */
  workspace: JsonText
  /** `{ accessToken, refreshToken?, ... }`, encrypted. */
  auth: string
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** An address of a subscriber on a channel. */
export interface ChannelEndpointRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The identifier, chosen by the caller; unique in the environment. */
  identifier: string
  /** The identifier of its integration. */
  integrationIdentifier: string | null
  /** The provider of the integration. */
  providerId: string | null
  /** The channel of the integration. */
  channel: string | null
  /** The identifier of its connection. */
  connectionIdentifier: string | null
  /** The subscriber id, chosen by the app. */
  subscriberId: string | null
  /** A list of `type:id`. */
  contextKeys: JsonText
  /** The kind of endpoint, such as `slack_channel`. */
  type: string
  /** The endpoint's address, encrypted because it can contain tokens. */
  endpoint: string
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A URL that receives an environment's events. */
export interface WebhookEndpointRow {
  id: Id
  environmentId: Id
  url: string
  description: string
  /** The event types it receives, a list; empty for all. */
  eventTypes: JsonText
  active: Flag
  /** The signing secrets, sealed: a list of `{ secret, untilMs? }`, newest first. */
  secrets: string
  /** Why the service disabled it; null if the service did not disable it. */
  disabledReason: string | null
  /** When the current series of failed attempts started; null if the last attempt succeeded. */
  failingSince: Millis | null
  /** The time of the last failed attempt. */
  lastFailedAt: Millis | null
  createdAt: Millis
  updatedAt: Millis
}

/** The delivery of an event to an endpoint. */
export interface WebhookDeliveryRow {
  id: Id
  environmentId: Id
  endpointId: Id
  /** The event id, the same for all endpoints and attempts. */
  eventId: string
  eventType: string
  /** The request body. */
  payload: JsonText
  status: 'pending' | 'delivered' | 'failed'
  /** The number of attempts since the delivery was last queued manually. */
  attempts: number
  /** The latest attempts, a list of `{ at, durationMs, status?, response?, reason? }`. */
  log: JsonText
  /** Why the event was not delivered. */
  reason: string | null
  /** When the next attempt is due; null if the delivery has ended. */
  nextAt: Millis | null
  /** The trace context of the run; see `traces/trace-context.ts`. */
  trace: string | null
  createdAt: Millis
  settledAt: Millis | null
}
