import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Session } from '../store/store.ts'
import { invalid } from './api-error.ts'
import { type Cursor, maxCursorLength, readCursor, writeCursor } from './cursor.ts'
import { queryFlag, queryNumber } from './input.ts'
import { queryCursor } from './query-fields.ts'

/** Counts in lists go no further. @source service-api.md#idempotency */
export const maxTotalCount = 50_000
const maxLimit = 100

/** The part of a list that a caller asks for. */
export interface CursorQuery {
  /** Most items of the page. */
  readonly limit: number
  /** The place the page begins after: a cursor of another page, or the identifier of an item. */
  readonly after?: string | undefined
  /** The place the page ends before: a cursor of another page, or the identifier of an item. */
  readonly before?: string | undefined
  /** The field it is sorted by. */
  readonly orderBy?: string | undefined
  /** The direction. */
  readonly orderDirection: 'ASC' | 'DESC'
  /** Whether the page holds the item of the cursor too. */
  readonly includeCursor?: boolean | undefined
}

/** One page of a list. @source service-api.md#pagination */
export interface CursorPage<TItem> {
  /** The items. */
  readonly data: readonly TItem[]
  /** The value of `after` for the next page; null on the last one. */
  readonly next: string | null
  /** The value of `before` for the previous page; null on the first one. */
  readonly previous: string | null
  /** How many items match, counted up to 50 000. */
  readonly totalCount: number
  /** Whether more than that match. */
  readonly totalCountCapped: boolean
}

/** The parameters of a list, to be spread into the schema of a query. */
export interface CursorFields {
  /** Most items of the page: 1 to 100, 10 if left out. */
  readonly limit: z.ZodType<number>
  /** Where the page begins. */
  readonly after: z.ZodType<string | undefined>
  /** Where the page ends. */
  readonly before: z.ZodType<string | undefined>
  /** The field it is sorted by. */
  readonly orderBy: z.ZodType<string | undefined>
  /** The direction. */
  readonly orderDirection: z.ZodType<'ASC' | 'DESC'>
  /** Whether the cursor's own item is on the page. */
  readonly includeCursor: z.ZodType<boolean | undefined>
}

/**
 * Returns the parameters of a list by cursor.
 *
 * @param orderBy - The fields it can be sorted by.
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

/** Which rows a list has. */
export interface ListSource {
  /** The tables, joined where there are several. */
  readonly from: RawBuilder<unknown>
  /** The columns of an item. */
  readonly select: RawBuilder<unknown>
  /** The conditions that hold for every item. */
  readonly where: readonly RawBuilder<unknown>[]
  /** The identifier of an item. */
  readonly id: RawBuilder<unknown>
  /**
   * The columns by the names of `orderBy`; the identifier is used where none is named, and for `createdAt` where it is not
   * here: an identifier begins with the time.
   */
  readonly order?: Readonly<Record<string, RawBuilder<unknown>>>
}

/**
 * Reads one page of a list. Its cursors stay good when the items at its edges are removed or change; the identifier of an
 * item that is not in the list leads to an empty page.
 *
 * @param query - What the caller asks for.
 * @throws {ApiError} 422 where it begins and ends somewhere: the page would be one of both.
 */
export async function readCursorPage<TRow extends { readonly id: string }>(
  db: Session,
  source: ListSource,
  query: CursorQuery,
): Promise<CursorPage<TRow>> {
  if (query.after !== undefined && query.before !== undefined)
    throw invalid('before', 'must not be sent beside after: a page follows one place')
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
  const [first, last] = [page[0], page.at(-1)].map((row) => row && writeCursor(orderBy, toCursor(row)))
  return {
    data: page.map(({ cursorPosition: _, ...row }) => row as unknown as TRow),
    next: ((backwards || more) && last) || null,
    previous: ((backwards ? more : cursor !== undefined) && first) || null,
    totalCount: Math.min(counted, maxTotalCount),
    totalCountCapped: counted > maxTotalCount,
  }
}

type Placed<TRow> = TRow & { readonly cursorPosition: string | number }

const toCursor = ({ id, cursorPosition }: Placed<{ readonly id: string }>): Required<Cursor> => ({
  id,
  position: cursorPosition,
})

/** The place of a cursor as a row of the column's value and the identifier. */
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
