import { type RawBuilder, sql } from 'kysely'
import { compilable, createQueryKey, elementsOf, isPostgres, runPrepared, toJson } from '../prepared.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../store.ts'
import { createSharedStatement } from './shared-statement.ts'

/**
 * Returns a list of rows as a table in parentheses, so that one statement can be reused for lists of any length.
 *
 * @param session - The store or a transaction.
 * @param list - The table that defines the column types, and the columns of the rows.
 * @param text - The rows as `toJson` returns them.
 */
export function listOf<TTable extends keyof Tables & string>(
  session: Session,
  { table, columns }: { readonly table: TTable; readonly columns: readonly string[] },
  text: string,
): RawBuilder<never> {
  if (isPostgres(session)) {
    const names = sql.join(columns.map((column) => sql.ref(column)))
    return sql`(select ${names} from json_populate_recordset(null::${sql.table(table)}, ${text}::json))`
  }
  const values = columns.map((column) => sql`"value" ->> ${sql.lit(`$.${column}`)} as ${sql.ref(column)}`)
  return sql`(select ${sql.join(values)} from json_each(${text}))`
}

/** How a statement finds rows by one column. */
export interface ValueCondition {
  readonly condition: RawBuilder<boolean>
  /** Its parameter. */
  readonly value: string
  /** The form of the query. */
  readonly form: 'one' | 'list'
  /** Whether PostgreSQL may cache the plan. */
  readonly isNamed: boolean
}

/**
 * Returns the condition that a column has one of the values.
 *
 * @param session - The store or a transaction.
 * @param column - The column to compare.
 * @param values - The values, at least one.
 */
export function hasOneOf(session: Session, column: string, values: readonly string[]): ValueCondition {
  const [first = ''] = values
  const isOne = values.length === 1
  const value = isOne ? first : JSON.stringify(values)
  const condition = isOne
    ? sql<boolean>`${sql.ref(column)} = ${value}`
    : sql<boolean>`${sql.ref(column)} in ${elementsOf(session, value)}`
  return { condition, value, form: isOne ? 'one' : 'list', isNamed: isOne }
}

/** Groups items by key. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

type Updated = 'runs' | 'jobs'

/** New values for a row. */
export interface RowUpdate<TTable extends Updated = Updated> {
  readonly table: TTable
  readonly id: string
  /** The new values, by column. */
  readonly values: Readonly<Partial<Tables[TTable]>>
  /** Whether the updated row is returned. @default false */
  readonly isReturned?: boolean
}

type Row = Tables[Updated]

const updateRow = createSharedStatement<RowUpdate, Row | undefined>({
  keyOf: ({ table, id }) => `${table} ${id}`,
  async run(session, updates) {
    const rows = new Map<string, Row>()
    for (const [form, group] of groupBy(updates, formOf))
      for (const row of await updateAlike(session, form, group)) rows.set(row.id, row)
    return updates.map(({ id }) => rows.get(id))
  },
})

/**
 * Updates a row by its id. In shared transactions, updates of the same columns are one statement.
 *
 * @param session - The session.
 * @param update - The row and its new values.
 * @returns The updated row, if it exists and was requested.
 */
export async function updateById<TTable extends Updated>(
  session: Session,
  update: RowUpdate<TTable>,
): Promise<Tables[TTable] | undefined> {
  return (await updateRow(session, update as RowUpdate)) as Tables[TTable] | undefined
}

function formOf({ table, values, isReturned }: RowUpdate): string {
  return `${table} ${Object.keys(values).join()}${isReturned ? ' returning' : ''}`
}

const updateRowQuery = createQueryKey('update a row')
const updateListQuery = createQueryKey('update a list of rows')
const insertUnlessKnownQuery = createQueryKey('insert rows unless their key exists')

async function updateAlike(session: Session, form: string, group: readonly RowUpdate[]): Promise<readonly Row[]> {
  const [first] = group
  if (!first) return []
  const { table, id, values, isReturned = false } = first
  if (group.length === 1) {
    const { rows } = await runPrepared(session, {
      key: updateRowQuery,
      form,
      values: [...Object.values(values), id],
      build: () => {
        const update = session.updateTable(table).set(values).where('id', '=', id)
        return isReturned ? update.returningAll() : (update as never)
      },
    })
    return rows
  }
  const text = toJson(group.map((one) => ({ id: one.id, ...one.values })))
  const { rows } = await runPrepared(session, {
    key: updateListQuery,
    form,
    values: [text],
    isNamed: false,
    build: () => compilable(session, updateList(session, first, text)),
  })
  return rows
}

function updateList(session: Session, { table, values, isReturned }: RowUpdate, text: string): RawBuilder<Row> {
  const columns = Object.keys(values)
  const list = listOf(session, { table, columns: ['id', ...columns] }, text)
  const sets = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`new.${column}`)}`)
  // SQLite returns only the columns of the updated table, and does not accept the table name here.
  const all = isPostgres(session) ? sql`${sql.table(table)}.*` : sql`*`
  return sql<Row>`update ${sql.table(table)} set ${sql.join(sets)} from ${list} as "new"
    where ${sql.ref(`${table}.id`)} = "new"."id" ${isReturned ? sql`returning ${all}` : sql``}`
}

/**
 * Inserts rows of the same shape, skipping those whose key already exists.
 *
 * @param session - The session.
 * @param target - The table and its unique column.
 * @param rows - The rows; all have the same columns, in the same order.
 * @returns The ids of the inserted rows.
 */
export async function insertUnlessKnown(
  session: Session,
  { table, key }: { readonly table: 'messages'; readonly key: string },
  rows: readonly Tables['messages'][],
): Promise<readonly string[]> {
  const [first] = rows
  if (!first) return []
  const columns = Object.keys(first)
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const text = toJson(rows)
  const { rows: inserted } = await runPrepared(session, {
    key: insertUnlessKnownQuery,
    form: `${table} ${key} ${columns.join()}`,
    values: [text],
    build: () =>
      compilable(
        session,
        // Without a condition, SQLite parses "on conflict" as a join condition.
        sql<{ readonly id: string }>`insert into ${sql.table(table)} (${names})
          select ${names} from ${listOf(session, { table, columns }, text)} as "new" where true
          on conflict (${sql.ref(key)}) do nothing returning "id"`,
      ),
  })
  return inserted.map(({ id }) => id)
}
