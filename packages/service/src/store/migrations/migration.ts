/** One change of the database schema. */
export interface Migration {
  /** Sorts in the order in which migrations run; never changed after a release. */
  readonly name: string
  /** SQL for both databases, with the types `bigint`, `smallint`, `double precision` and `text`. */
  readonly statements: readonly string[]
  /** SQL that only PostgreSQL runs after that. @default none */
  readonly onPostgres?: readonly string[]
}
