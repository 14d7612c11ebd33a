import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Session } from '../store/store.ts'
import { invalid } from './api-error.ts'
import { type Cursor, maxCursorLength, readCursor, writeCursor } from './cursor.ts'
import { queryFlag, queryNumber } from './input.ts'
import { queryCursor } from './query-fields.ts'

/** The number up to which list items are counted. @source service-api.md#pagination */
export const maxTotalCount = 50_000
const maxLimit = 100

/** The requested part of a list. */
export interface CursorQuery {
  /** The maximum number of items. */
  readonly limit: number
  /** The page starts after this position: a cursor from another page, or the identifier of an item. */
  readonly after?: string | undefined
  /** The page ends before this position: a cursor from another page, or the identifier of an item. */
  readonly before?: string | undefined
  /** The sort field. */
  readonly orderBy?: string | undefined
  readonly orderDirection: 'ASC' | 'DESC'
  /** Whether to include the item at the cursor. */
  readonly includeCursor?: boolean | undefined
}

/** One page of a list. @source service-api.md#pagination */
export interface CursorPage<TItem> {
  readonly data: readonly TItem[]
  /** The value of `after` for the next page; null on the last page. */
  readonly next: string | null
  /** The value of `before` for the previous page; null on the first page. */
  readonly previous: string | null
  /** The number of matching items, up to 50,000. */
  readonly totalCount: number
  /** Whether more items match. */
  readonly totalCountCapped: boolean
}

/** List parameters, to be spread into a query schema. */
export interface CursorFields {
  /** The maximum number of items: 1 to 100. @default 10 */
  readonly limit: z.ZodType<number>
  /** The position after which the page starts. */
  readonly after: z.ZodType<string | undefined>
  /** The position before which the page ends. */
  readonly before: z.ZodType<string | undefined>
  /** The sort field. */
  readonly orderBy: z.ZodType<string | undefined>
  readonly orderDirection: z.ZodType<'ASC' | 'DESC'>
  /** Whether to include the item at the cursor. */
  readonly includeCursor: z.ZodType<boolean | undefined>
}

/**
 * Returns the parameters of a list with cursors.
 *
 * @param orderBy - The allowed sort fields.
 */
export function cursorFields(orderBy: readonly string[]): CursorFields {
  return {
    limit: queryNumber({ fallback: 10, min: 1, max: maxLimit }),
    after: queryCursor(maxCursorLength),
    before: queryCursor(maxCursorLength),
    orderBy: z.enum(orderBy, `must be one of ${orderBy.join(', ')}`).optional(),
    orderDirection: z
      .enum(['ASC', 'DESC'], 'must be ASC or DESC')
      .optional()
      .transform((value): 'ASC' | 'DESC' => value ?? 'DESC'),
    includeCursor: queryFlag(),
  }
}

/** The data source of a list. */
export interface ListSource {
  /** The tables, joined if there are several. */
  readonly from: RawBuilder<unknown>
  /** The columns of an item. */
  readonly select: RawBuilder<unknown>
  /** Conditions that apply to every item. */
  readonly where: readonly RawBuilder<unknown>[]
  /** The identifier of an item. */
  readonly id: RawBuilder<unknown>
  /**
   * Columns by sort field. The identifier is used if no field is requested. It also replaces a missing `createdAt`
   * column, because identifiers start with the time.
   */
  readonly order?: Readonly<Record<string, RawBuilder<unknown>>>
}

/**
 * Returns one page of a list. Its cursors stay valid if the first or last item changes or is removed. If the cursor is
 * an item outside the list, the page is empty.
 *
 * @param query - The requested part of the list.
 * @throws {ApiError} 422 if both `after` and `before` are set.
 */
export async function readCursorPage<TRow extends { readonly id: string }>(
  db: Session,
  source: ListSource,
  query: CursorQuery,
): Promise<CursorPage<TRow>> {
  if (query.after !== undefined && query.before !== undefined)
    throw invalid('before', 'cannot be combined with after: a page follows one position')
  const { from, select, id } = source
  const where = joined(source.where)
  const given = query.after ?? query.before
  const backwards = query.after === undefined && query.before !== undefined
  const sorted = query.orderBy === undefined ? undefined : source.order?.[query.orderBy]
  const orderBy = sorted ? (query.orderBy ?? '') : ''
  const column = sorted ?? id
  const cursor = given === undefined ? undefined : readCursor(given, orderBy)
  const ascending = (query.orderDirection === 'ASC') !== backwards
  const sign = sql.raw(`${ascending ? '>' : '<'}${query.includeCursor ? '=' : ''}`)
  const edge = cursor === undefined ? sql`1 = 1` : sql`(${column}, ${id}) ${sign} ${toPlace(source, column, cursor)}`
  const direction = sql.raw(ascending ? 'asc' : 'desc')
  const { rows } = await sql<Placed<TRow>>`select ${select}, ${column} as "cursorPosition" from ${from}
    where ${where} and ${edge} order by ${column} ${direction}, ${id} ${direction} limit ${query.limit + 1}`.execute(db)
  if (cursor && cursor.position === undefined && rows.length === 0 && !(await exists(db, source, cursor.id)))
    return { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false }
  const counted = await count(db, source)
  const more = rows.length > query.limit
  const page = rows.slice(0, query.limit)
  if (backwards) page.reverse()
  // On the side of the cursor, its item and all before it may have been deleted, or be part of the page.
  const edgeRow = backwards ? page.at(-1) : page[0]
  const hasOthers = cursor && edgeRow ? await hasRowsBefore(db, source, { column, row: edgeRow, ascending }) : false
  const [first, last] = [page[0], page.at(-1)].map((row) => row && writeCursor(orderBy, toCursor(row)))
  return {
    data: page.map(({ cursorPosition: _, ...row }) => row as unknown as TRow),
    next: ((backwards ? hasOthers : more) && last) || null,
    previous: ((backwards ? more : hasOthers) && first) || null,
    totalCount: Math.min(counted, maxTotalCount),
    totalCountCapped: counted > maxTotalCount,
  }
}

interface Edge {
  readonly column: RawBuilder<unknown>
  readonly row: Placed<{ readonly id: string }>
  /** Whether the rows were read in ascending order. */
  readonly ascending: boolean
}

/** Returns whether rows precede a row in the order in which the page was read. */
async function hasRowsBefore(
  db: Session,
  { from, where, id }: ListSource,
  { column, row, ascending }: Edge,
): Promise<boolean> {
  const sign = sql.raw(ascending ? '<' : '>')
  const { rows } = await sql`select 1 from ${from}
    where ${joined(where)} and (${column}, ${id}) ${sign} (${row.cursorPosition}, ${row.id}) limit 1`.execute(db)
  return rows.length > 0
}

type Placed<TRow> = TRow & { readonly cursorPosition: string | number }

const toCursor = ({ id, cursorPosition }: Placed<{ readonly id: string }>): Required<Cursor> => ({
  id,
  position: cursorPosition,
})

/** Returns the position of a cursor as a row with the sort column's value and the identifier. */
function toPlace({ from, where, id }: ListSource, column: RawBuilder<unknown>, cursor: Cursor): RawBuilder<unknown> {
  return cursor.position === undefined
    ? sql`(select ${column}, ${id} from ${from} where ${joined(where)} and ${id} = ${cursor.id})`
    : sql`(${cursor.position}, ${cursor.id})`
}

const joined = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `)

async function exists(db: Session, { from, where, id }: ListSource, cursor: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${from} where ${joined(where)} and ${id} = ${cursor}`.execute(db)
  return rows.length > 0
}

async function count(db: Session, { from, where }: ListSource): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`select count(*) as "count" from
    (select 1 from ${from} where ${joined(where)} limit ${maxTotalCount + 1}) as "counted"`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
