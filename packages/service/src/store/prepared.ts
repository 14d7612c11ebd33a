import type { Compilable, CompiledQuery, InsertObject } from 'kysely'
import type { Tables } from './schema/tables.ts'
import type { Session } from './store.ts'

// One text for each driver: transactions of one store have its adapter in common.
const kept = new WeakMap<object, Map<string, CompiledQuery<unknown>>>()
const keptQueries = 500

/**
 * Runs a query whose text is written once: building it costs more than running it. For queries that run again and again
 * with other values only.
 *
 * @param session - The store or a transaction.
 * @param query - `name`: distinguishes it from all others. `values`: what differs, in the order of the query's
 *   parameters. `build`: makes it of these values, the first time.
 * @throws {TypeError} The values are not the query's parameters, in their order.
 */
export async function runPrepared<R>(
  session: Session,
  query: { readonly name: string; readonly values: readonly unknown[]; readonly build: () => Compilable<R> },
): Promise<{ readonly rows: readonly R[]; readonly numAffectedRows: bigint | undefined }> {
  const { adapter } = session.getExecutor()
  const queries = kept.get(adapter) ?? new Map<string, CompiledQuery<unknown>>()
  kept.set(adapter, queries)
  const { name, values } = query
  let compiled = queries.get(name) as CompiledQuery<R> | undefined
  if (!compiled) {
    compiled = query.build().compile()
    const { parameters } = compiled
    if (parameters.length !== values.length || parameters.some((value, index) => !Object.is(value, values[index])))
      throw new TypeError(`The values of the prepared query "${name}" are not its parameters.`)
    if (queries.size < keptQueries) queries.set(name, compiled)
  }
  const { rows, numAffectedRows } = await session.executeQuery({ ...compiled, parameters: values })
  return { rows: rows as readonly R[], numAffectedRows }
}

/**
 * Inserts rows of one shape, with a text that is written once for each number of rows.
 *
 * @param session - The store or a transaction.
 * @param table - The table.
 * @param rows - The rows; all have the same columns, in the same order. Nothing is inserted when there are none.
 */
export async function insertPrepared<TTable extends keyof Tables & string>(
  session: Session,
  table: TTable,
  rows: readonly Tables[TTable][],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first) as (keyof Tables[TTable])[]
  await runPrepared(session, {
    name: `insert ${rows.length} ${table} ${columns.join()}`,
    values: rows.flatMap((row) => columns.map((column) => row[column])),
    build: () => session.insertInto(table).values(rows as unknown as readonly InsertObject<Tables, TTable>[]),
  })
}
