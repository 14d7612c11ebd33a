import type { Flag, Id, JsonText, Millis } from './column.ts'

/** A configured delivery provider. */
export interface IntegrationRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The caller's own identifier; unique in the environment. */
  identifier: string
  /** Such as `nodemailer`. */
  providerId: string
  /** `email`, `sms`, `push`, `chat`, `in_app` or `tool`. */
  channel: string
  /** Its name. */
  name: string
  /** The kind of integration, where a caller said so. */
  kind: string | null
  /** Whether it is used. */
  active: Flag
  /** Whether it is the first choice of its channel. */
  isPrimary: Flag
  /** The order among those of a channel; the largest first. */
  priority: number
  /** The credentials: an object, sealed. */
  credentials: string
  /** Further settings, an object. */
  configurations: JsonText
  /** When it is chosen, a list. */
  conditions: JsonText
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A wrapper of mails. */
export interface LayoutRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The caller's own identifier; unique in the environment. */
  identifier: string
  /** Its name. */
  name: string
  /** Its purpose. */
  description: string | null
  /** The content, with the place of the mail's body. */
  content: string
  /** The variables of the content, a list. */
  variables: JsonText
  /** Control values of the second version of the API, an object. */
  controlValues: JsonText
  /** Whether mails are wrapped in it that name none. */
  isDefault: Flag
  /** Whether its texts are translated. */
  isTranslationEnabled: Flag
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** The texts of one language. */
export interface TranslationRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The kind of owner of the texts, such as `workflow` or `layout`. */
  resourceType: string
  /** Which one; unique with environment, type and locale. */
  resourceId: string
  /** Language, such as `en_US`. */
  locale: string
  /** The texts, an object that may be nested. */
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
  /** Its type. */
  type: string
  /** Whether its value is masked when read. */
  isSecret: Flag
  /** The value, sealed; null if it has none. */
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
  /** The caller's own identifier. */
  contextId: string
  /** Free fields, an object. */
  data: JsonText
  /** The bridge that serves runs of this context. */
  bridgeUrl: string | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A connection of a workspace, such as one of Slack, to a channel. */
export interface ChannelConnectionRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The caller's own identifier; unique in the environment. */
  identifier: string
  /** Which integration it is for. */
  integrationIdentifier: string | null
  /** The integration's provider. */
  providerId: string | null
  /** The integration's channel. */
  channel: string | null
  /** The caller's own identifier of the subscriber; null when it is shared. */
  subscriberId: string | null
  /** A list of `type:id`. */
  contextKeys: JsonText
  /** `{ id, name?, botUserId? }`. */
  workspace: JsonText
  /** `{ accessToken, refreshToken?, ... }`, sealed. */
  auth: string
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** Where a subscriber is reached on a channel. */
export interface ChannelEndpointRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The caller's own identifier; unique in the environment. */
  identifier: string
  /** Which integration it is for. */
  integrationIdentifier: string | null
  /** The integration's provider. */
  providerId: string | null
  /** The integration's channel. */
  channel: string | null
  /** The connection it goes through. */
  connectionIdentifier: string | null
  /** The caller's own identifier of the subscriber. */
  subscriberId: string | null
  /** A list of `type:id`. */
  contextKeys: JsonText
  /** The kind of endpoint, such as `slack_channel`. */
  type: string
  /** Its address, sealed: it may hold tokens. */
  endpoint: string
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}
