import { insertPrepared } from './prepared.ts'
import type { Tables } from './schema/tables.ts'
import type { Session } from './store.ts'

type Name = keyof Tables & string
type Late = Map<Name, Tables[Name][]>

const waiting = new WeakMap<Session, Late>()
/** SQLite keeps a text for each number of rows, so there are few; a statement takes 32766 parameters. */
const sizes = [128, 32, 8, 4, 2, 1] as const

/**
 * Inserts rows at the end of a transaction, with all others of their table, which costs less than one by one. For rows that
 * nothing in the transaction reads.
 *
 * @param session - The session of the transaction; the store's own inserts at once.
 * @param table - The table.
 * @param rows - The rows; all of a table have the same columns, in the same order.
 */
export async function insertLate<TTable extends Name>(
  session: Session,
  table: TTable,
  rows: readonly Tables[TTable][],
): Promise<void> {
  const late = waiting.get(session)
  if (!late) return insertAll(session, table, rows)
  const known = late.get(table)
  if (known) known.push(...rows)
  else late.set(table, [...rows])
}

/**
 * Lets the rows of a transaction wait for its end.
 *
 * @param tx - The session of the transaction.
 */
export function openLate(tx: Session): void {
  waiting.set(tx, new Map())
}

/**
 * Inserts the rows that a transaction has left for its end.
 *
 * @param tx - The session of the transaction.
 */
export async function writeLate(tx: Session): Promise<void> {
  const late = waiting.get(tx)
  waiting.delete(tx)
  for (const [table, rows] of late ?? []) await insertAll(tx, table, rows)
}

async function insertAll<TTable extends Name>(
  session: Session,
  table: TTable,
  rows: readonly Tables[TTable][],
): Promise<void> {
  for (let at = 0; at < rows.length; ) {
    const size = sizes.find((count) => count <= rows.length - at) ?? 1
    await insertPrepared(session, table, rows.slice(at, at + size))
    at += size
  }
}
