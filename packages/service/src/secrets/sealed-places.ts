/** Where a sealed text is kept. It opens there and nowhere else: who writes the database cannot move a secret. */
export interface SealedPlace {
  /** The table, or what stands for one. */
  readonly table: string
  /** The column. */
  readonly column: string
  /** The primary key of the row. */
  readonly key: readonly string[]
}

/** Every place of the database that holds sealed texts. */
export const sealedPlaces = {
  /** The secret key of an environment. */
  apiKey: (environmentId: string): SealedPlace => ({ table: 'apiKeys', column: 'sealed', key: [environmentId] }),
  /** The credentials of an integration. */
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
  /** A message that waits to be sent. */
  delivery: (id: string): SealedPlace => ({ table: 'messages', column: 'delivery', key: [id] }),
  /** An answer that is kept for repeated calls. */
  answer: (key: string): SealedPlace => ({ table: 'idempotency', column: 'body', key: [key] }),
} as const
