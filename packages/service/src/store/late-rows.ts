import { insertPrepared, isPostgres } from './prepared.ts'
import type { Tables } from './schema/tables.ts'
import type { Session } from './store.ts'

type Name = keyof Tables & string
type Late = Map<Name, Tables[Name][]>

const waiting = new WeakMap<Session, Late>()
/** Few sizes, because SQLite needs a statement per number of rows. A statement may have 32766 parameters. */
const sizes = [128, 32, 8, 4, 2, 1] as const

/**
 * Inserts rows at the end of a transaction, together with the other rows of their table, which costs less. For rows that
 * the transaction does not read.
 *
 * @param session - The session of the transaction. Outside a transaction the rows are inserted at once.
 * @param rows - The rows; all rows of a table have the same columns, in the same order.
 */
export async function insertLate<TTable extends Name>(
  session: Session,
  table: TTable,
  rows: readonly Tables[TTable][],
): Promise<void> {
  const late = waiting.get(session)
  if (!late) return insertAll(session, table, rows)
  const lateRows = late.get(table)
  if (lateRows) lateRows.push(...rows)
  else late.set(table, [...rows])
}

/** Starts to collect the late rows of a transaction. */
export function openLate(tx: Session): void {
  waiting.set(tx, new Map())
}

/** Inserts the late rows of a transaction. */
export async function writeLate(tx: Session): Promise<void> {
  const late = waiting.get(tx)
  waiting.delete(tx)
  for (const [table, rows] of late ?? []) await insertAll(tx, table, rows)
}

/**
 * Inserts rows of one shape, in few statements.
 *
 * @param session - The session.
 * @param table - The table.
 * @param rows - The rows; all have the same columns, in the same order.
 */
export async function insertAll<TTable extends Name>(
  session: Session,
  table: TTable,
  rows: readonly Tables[TTable][],
): Promise<void> {
  if (isPostgres(session)) return insertPrepared(session, table, rows)
  for (let at = 0; at < rows.length; ) {
    const size = sizes.find((count) => count <= rows.length - at) ?? 1
    await insertPrepared(session, table, rows.slice(at, at + size))
    at += size
  }
}
