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

/** A person who uses the studio. */
export interface AccountRow {
  /** Primary key. */
  id: Id
  /** The email address in lowercase; unique. */
  email: string
  /** Their name, as shown in the studio. */
  name: string
  /** `invited` until they first sign in, `active`, or `disabled`. */
  status: 'invited' | 'active' | 'disabled'
  /** The Argon2id hash of the password, with its parameters; null if they have none. */
  passwordHash: string | null
  /** The OpenID provider that identifies them. Unique with `subject`. */
  issuer: string | null
  /** Their identifier at that provider. */
  subject: string | null
  /** The role in every environment without a row in `accountRoles`. */
  role: string | null
  /** When they last signed in. */
  signedInAt: Millis | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A role in one environment, which replaces the account's role there. Primary key: both ids. */
export interface AccountRoleRow {
  accountId: Id
  environmentId: Id
  /** A role, or `none`. */
  role: string
}

/** A session of the studio. */
export interface AccountSessionRow {
  /** Primary key. */
  id: Id
  accountId: Id
  /** SHA-256 of the token in the cookie, hexadecimal. Unique. */
  hash: string
  /** The address they signed in from. */
  address: string | null
  /** The browser, as it describes itself. */
  userAgent: string | null
  /** When they signed in. */
  createdAt: Millis
  /** When it was last used, to the minute. */
  usedAt: Millis
  /** When it ends. */
  expiresAt: Millis
}

/** A one-time link. */
export interface AccountLinkRow {
  /** SHA-256 of the token in the link, hexadecimal. Primary key. */
  hash: string
  /** What it is for. */
  purpose: 'first-admin' | 'invite' | 'reset'
  /** The account; null for the first admin. */
  accountId: Id | null
  /** When it was created. */
  createdAt: Millis
  /** When it expires. */
  expiresAt: Millis
}

/** The number of sign-in attempts left. */
export interface AttemptRow {
  /** SHA-256 of what is limited, such as an account or an address. Primary key. */
  key: string
  /** The attempts that were left at `refilledAt`. */
  tokens: number
  /** When they were counted. */
  refilledAt: Millis
}

/** An entry of the audit log. */
export interface AuditRow {
  /** Primary key. */
  id: Id
  /** The row id of the environment; null for accounts. It may have been deleted since. */
  scope: Id | null
  /** The name of the environment at that time. */
  scopeName: string | null
  /** The actor: an account or a secret key. */
  actorType: 'account' | 'key'
  /** The row id of the account, or the start of the key's hash. */
  actorId: string | null
  /** The email address of the account. */
  actorName: string | null
  /** The name of the operation. */
  operation: string
  /** What was changed. */
  subject: string | null
  /** `done`, `refused`, `failed`, or `started` if the process ended before the response. */
  outcome: 'started' | 'done' | 'refused' | 'failed'
  /** The id of the request in the log. */
  requestId: string
  /** The address of the caller. */
  address: string | null
  /** When it was called. */
  createdAt: Millis
}
