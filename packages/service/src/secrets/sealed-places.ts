/**
 * The location of an encrypted text. It can only be decrypted there, so that write access to the database does not
 * allow moving a secret.
 */
export interface SealedPlace {
  /** The table, or its substitute. */
  readonly table: string
  readonly column: string
  /** The primary key of the row. */
  readonly key: readonly string[]
}

/** All locations of encrypted texts in the database. */
export const sealedPlaces = {
  /** The secret key of an environment. */
  apiKey: (environmentId: string): SealedPlace => ({ table: 'apiKeys', column: 'sealed', key: [environmentId] }),
  credentials: (id: string): SealedPlace => ({ table: 'integrations', column: 'credentials', key: [id] }),
  /** The value of a variable in an environment. */
  variable: (variableId: string, environmentId: string): SealedPlace => ({
    table: 'variableValues',
    column: 'value',
    key: [variableId, environmentId],
  }),
  /** The tokens of a connection. */
  auth: (id: string): SealedPlace => ({ table: 'channelConnections', column: 'auth', key: [id] }),
  /** The address of an endpoint. */
  endpoint: (id: string): SealedPlace => ({ table: 'channelEndpoints', column: 'endpoint', key: [id] }),
  /** A pending message. */
  delivery: (id: string): SealedPlace => ({ table: 'messages', column: 'delivery', key: [id] }),
  /** The signing secrets of a webhook endpoint. */
  webhookSecrets: (id: string): SealedPlace => ({ table: 'webhookEndpoints', column: 'secrets', key: [id] }),
  /** A stored response for repeated calls. */
  answer: (key: string): SealedPlace => ({ table: 'idempotency', column: 'body', key: [key] }),
} as const
