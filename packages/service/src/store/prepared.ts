import { type Compilable, type CompiledQuery, type InsertObject, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import { checkParameter } from './check-parameter.ts'
import type { Tables } from './schema/tables.ts'
import type { Session } from './store.ts'

// One query cache per driver: transactions of a store share its adapter.
const kept = new WeakMap<object, Map<string, CompiledQuery<unknown>>>()
const keptQueries = 500
const statementNames = new Map<string, string>()

/**
 * Returns the name under which a PostgreSQL connection prepares a statement, so that it is parsed and planned once per
 * connection; `undefined` for a one-off statement.
 */
export function statementName(text: string): string | undefined {
  return statementNames.get(text)
}

/** Identifies a query by being the same object, so that two queries are never confused, even with the same label. */
export interface QueryKey {
  /** A unique number. */
  readonly id: number
  /** Describes the query in errors. */
  readonly label: string
}

let keys = 0

/**
 * Creates the key of a query, once per query and not per call.
 *
 * @param label - Describes the query in errors.
 */
export function createQueryKey(label: string): QueryKey {
  keys++
  return Object.freeze({ id: keys, label })
}

/** A query whose text is built once. */
export interface PreparedQuery<R> {
  readonly key: QueryKey
  /** Distinguishes the texts of a query that depend on more than its values, such as its columns. @default one text */
  readonly form?: string
  /** Its parameters, in order. */
  readonly values: readonly unknown[]
  /** Builds the query from these values, the first time. */
  readonly build: () => Compilable<R>
  /**
   * Whether PostgreSQL keeps the plan. It is planned for tables that may grow, so set it to false for a statement that
   * joins a list with a table. @default true
   */
  readonly isNamed?: boolean
}

/**
 * Runs a query whose text is built once, because building it costs more than running it. For frequent queries that only
 * differ in values.
 *
 * @param session - The store or a transaction.
 * @param query - The query.
 * @throws {TypeError} The values are not the query's parameters, in order.
 */
export async function runPrepared<R>(
  session: Session,
  query: PreparedQuery<R>,
): Promise<{ readonly rows: readonly R[]; readonly numAffectedRows: bigint | undefined }> {
  const { adapter } = session.getExecutor()
  const queries = kept.get(adapter) ?? new Map<string, CompiledQuery<unknown>>()
  kept.set(adapter, queries)
  const { key, form = '', values, isNamed = true } = query
  const textKey = `${key.id} ${form}`
  let compiled = queries.get(textKey) as CompiledQuery<R> | undefined
  if (!compiled) {
    compiled = query.build().compile()
    const { parameters } = compiled
    if (parameters.length !== values.length || parameters.some((value, index) => !Object.is(value, values[index])))
      throw new TypeError(`The values of the prepared query "${key.label}" do not match its parameters.`)
    if (queries.size < keptQueries) {
      queries.set(textKey, compiled)
      if (isNamed && !statementNames.has(compiled.sql))
        statementNames.set(compiled.sql, `trestle_${statementNames.size}`)
    }
  }
  const { rows, numAffectedRows } = await session.executeQuery({ ...compiled, parameters: values })
  return { rows: rows as readonly R[], numAffectedRows }
}

const insertListQuery = createQueryKey('insert a list')
const insertRowsQuery = createQueryKey('insert rows')

/**
 * Inserts rows of one shape, with a text that is built once per number of rows.
 *
 * @param session - The store or a transaction.
 * @param rows - The rows; all have the same columns, in the same order. May be empty.
 */
export async function insertPrepared<TTable extends keyof Tables & string>(
  session: Session,
  table: TTable,
  rows: readonly Tables[TTable][],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first) as (keyof Tables[TTable] & string)[]
  if (isPostgres(session)) {
    const text = toJson(rows)
    await runPrepared(session, {
      key: insertListQuery,
      form: `${table} ${columns.join()}`,
      values: [text],
      build: () => compilable(session, insertJson(table, columns, text)),
    })
    return
  }
  await runPrepared(session, {
    key: insertRowsQuery,
    form: `${rows.length} ${table} ${columns.join()}`,
    values: rows.flatMap((row) => columns.map((column) => row[column])),
    build: () => session.insertInto(table).values(rows as unknown as readonly InsertObject<Tables, TTable>[]),
  })
}

/**
 * Returns the elements of a list of texts, so that one statement serves lists of all lengths: `id in (...)`.
 *
 * @param session - The store or a transaction.
 * @param list - The list as JSON.
 */
export function elementsOf(session: Session, list: string): RawBuilder<string> {
  return isPostgres(session)
    ? sql<string>`(select json_array_elements_text(${list}::json))`
    : sql<string>`(select "value" from json_each(${list}))`
}

/** Returns whether a session is a PostgreSQL session. */
export function isPostgres(session: Session): boolean {
  return session.getExecutor().adapter instanceof PostgresAdapter
}

/**
 * Returns PostgreSQL's insert for any number of rows, passed as one JSON text, so that one statement serves all
 * numbers.
 *
 * @param columns - The columns of the rows.
 * @param text - The rows as {@link toJson} returns them.
 */
export function insertJson(table: keyof Tables, columns: readonly string[], text: string): RawBuilder<unknown> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  return sql`insert into ${sql.table(table)} (${names}) select ${names} from json_populate_recordset(null::${sql.table(table)}, ${text}::json)`
}

/**
 * Returns rows as JSON text.
 *
 * @throws {UnstorableValueError} For values that the databases would change or reject.
 */
export function toJson(rows: readonly object[]): string {
  for (const row of rows) for (const value of Object.values(row)) checkParameter(value)
  return JSON.stringify(rows)
}

/** Returns a hand-written statement in the form that {@link runPrepared} builds. */
export function compilable<R>(session: Session, statement: RawBuilder<R>): Compilable<R> {
  return { compile: () => statement.compile(session) }
}
