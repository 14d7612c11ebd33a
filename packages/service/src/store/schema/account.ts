import type { Id, JsonText, Millis } from './column.ts'

/** A value the service keeps about itself, such as the identifier of the organization. */
export interface SettingRow {
  /** The name of the setting. Primary key. */
  key: string
  /** Its value. */
  value: string
}

/** An environment: all other resources belong to one. */
export interface EnvironmentRow {
  /** Primary key. */
  id: Id
  /** Its name, such as `Development`; unique. */
  name: string
  /** The environment it was derived from. */
  parentId: Id | null
  /** The public identifier for client-side components; authorizes nothing. Unique. */
  applicationIdentifier: string
  /** How a user interface shows it. */
  color: string | null
  /** Where its bridge is. */
  bridgeUrl: string | null
  /** When its bridge was last synced. */
  syncedAt: Millis | null
  /** Further fields a caller stored, as an object. */
  extra: JsonText
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** The secret key of an environment. There is one for each; a new one replaces it. */
export interface ApiKeyRow {
  /** Primary key. */
  environmentId: Id
  /** SHA-256 of the key, hexadecimal; what a request's key is looked up by. Unique. */
  hash: string
  /** The key encrypted with the service's own key: it signs the calls of the bridge. */
  sealed: string
  /** When it was created. */
  createdAt: Millis
}
