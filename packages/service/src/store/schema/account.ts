import type { Id, JsonText, Millis } from './column.ts'

/** A value of the service itself, such as the identifier of the organization. */
export interface SettingRow {
  /** The name of the setting. Primary key. */
  key: string
  value: string
}

/** An environment. All other resources belong to one. */
export interface EnvironmentRow {
  /** Primary key. */
  id: Id
  /** Its name, such as `Development`; unique. */
  name: string
  /** The environment it was derived from. */
  parentId: Id | null
  /** The public identifier for client-side components; it grants no access. Unique. */
  applicationIdentifier: string
  /** The color in user interfaces. */
  color: string | null
  /** The URL of its bridge. */
  bridgeUrl: string | null
  /** When its bridge was last synced. */
  syncedAt: Millis | null
  /** Additional fields from callers, an object. */
  extra: JsonText
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** The secret key of an environment. Each environment has one; a new key replaces it. */
export interface ApiKeyRow {
  /** Primary key. */
  environmentId: Id
  /** SHA-256 of the key in hexadecimal, by which requests are authenticated. Unique. */
  hash: string
  /** The key, encrypted with the service's own key. It signs bridge calls. */
  sealed: string
  /** When it was created. */
  createdAt: Millis
}
