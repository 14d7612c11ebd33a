/** An index of a table that exists since an earlier migration, and can have millions of rows. */
export interface TableIndex {
  readonly name: string
  /** The table, its columns and conditions: the part of `create index` after `on`. */
  readonly on: string
  /** Whether values occur only once. @default false */
  readonly isUnique?: boolean
}

/**
 * Returns the statement that builds an index.
 *
 * @param how - `concurrently` does not block writes; only PostgreSQL has it.
 */
export const toIndexStatement = ({ name, on, isUnique = false }: TableIndex, how: 'concurrently' | '' = ''): string =>
  `create ${isUnique ? 'unique ' : ''}index ${how} "${name}" on ${on}`

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
