/** An index of a table that exists since an earlier migration, and can have millions of rows. */
export interface TableIndex {
  readonly name: string
  /** The table, its columns and conditions: the part of `create index` after `on`. */
  readonly on: string
}

/** One change of the database schema. */
export interface Migration {
  /** Sorts in the order in which migrations run; never changed after a release. */
  readonly name: string
  /** SQL for both databases, with the types `bigint`, `smallint`, `double precision` and `text`. */
  readonly statements: readonly string[]
  /** SQL that only PostgreSQL runs after that. @default none */
  readonly onPostgres?: readonly string[]
  /** Indexes that PostgreSQL builds without blocking writes, after all migrations. @default none */
  readonly indexes?: readonly TableIndex[]
}
