import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Session } from '../store/store.ts'
import { queryFlag, queryNumber, queryText } from './input.ts'

/** Counts in lists go no further. @source Limits, "Other limits" */
export const maxTotalCount = 50_000
const maxLimit = 100

/** The part of a list that a caller asks for. */
export interface CursorQuery {
  /** Most items of the page. */
  readonly limit: number
  /** Identifies the item the page begins after. */
  readonly after?: string | undefined
  /** Identifies the item the page ends before. */
  readonly before?: string | undefined
  /** The field it is sorted by. */
  readonly orderBy?: string | undefined
  /** The direction. */
  readonly orderDirection: 'ASC' | 'DESC'
  /** Whether the page holds the item of the cursor too. */
  readonly includeCursor?: boolean | undefined
}

/** One page of a list. @source Resources, "Cursor list envelope" */
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
    after: queryText(),
    before: queryText(),
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
  /** The identifier of an item, which is its cursor. */
  readonly id: RawBuilder<unknown>
  /** The columns by the names of `orderBy`; the identifier is used where none is named. */
  readonly order?: Readonly<Record<string, RawBuilder<unknown>>>
}

/**
 * Reads one page of a list. A cursor that is not in the list leads to an empty page.
 *
 * @param query - What the caller asks for.
 */
export async function readCursorPage<TRow extends { readonly id: string }>(
  db: Session,
  source: ListSource,
  query: CursorQuery,
): Promise<CursorPage<TRow>> {
  const { from, select, id } = source
  const where = joined(source.where)
  const cursor = query.after ?? query.before
  const backwards = query.after === undefined && query.before !== undefined
  const column = (query.orderBy !== undefined && source.order?.[query.orderBy]) || id
  const ascending = (query.orderDirection === 'ASC') !== backwards
  const position = sql`${column}, ${id}`
  const edge =
    cursor === undefined
      ? sql`1 = 1`
      : sql`(${position}) ${sql.raw(`${ascending ? '>' : '<'}${query.includeCursor ? '=' : ''}`)} (select ${position} from ${from} where ${where} and ${id} = ${cursor})`
  const direction = sql.raw(ascending ? 'asc' : 'desc')
  const { rows } = await sql<TRow>`select ${select} from ${from} where ${where} and ${edge}
    order by ${column} ${direction}, ${id} ${direction} limit ${query.limit + 1}`.execute(db)
  if (cursor !== undefined && rows.length === 0 && !(await exists(db, source, cursor)))
    return { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false }
  const counted = await count(db, source)
  const more = rows.length > query.limit
  const page = rows.slice(0, query.limit)
  if (backwards) page.reverse()
  const [first, last] = [page[0]?.id ?? null, page.at(-1)?.id ?? null]
  const hasCursor = cursor !== undefined
  return {
    data: page,
    next: (backwards ? hasCursor : more) ? last : null,
    previous: (backwards ? more : hasCursor) ? first : null,
    totalCount: Math.min(counted, maxTotalCount),
    totalCountCapped: counted > maxTotalCount,
  }
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
