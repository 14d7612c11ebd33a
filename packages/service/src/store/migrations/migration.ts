/** One step forward of the database's form. */
export interface Migration {
  /** Sorts by the order in which migrations run; never changed once released. */
  readonly name: string
  /** SQL that both databases take: `bigint`, `smallint`, `double precision` and `text` are the types. */
  readonly statements: readonly string[]
  /** SQL that PostgreSQL alone runs after that. @default none */
  readonly onPostgres?: readonly string[]
}
