import type { ReactNode } from 'react'
import type { Query } from '../api/api.ts'
import type { ApiFailure } from '../api/api-failure.ts'
import type { CursorPage, NumberedPage } from '../api/page.ts'
import { useAddress } from '../session/address.ts'
import { useRead } from '../session/queries.ts'
import { CursorPager } from '../ui/data/cursor-list.tsx'
import { Pager } from '../ui/data/pager.tsx'

/** A page of a list. */
export interface ListState<Row> {
  /** The rows, once loaded. */
  readonly rows: readonly Row[] | undefined
  /** Why loading failed. */
  readonly error: ApiFailure | null
  /** Reloads the rows. */
  retry(): void
  /** Goes to the first page; undefined on the first page. */
  readonly toFirst: (() => void) | undefined
  readonly pager?: ReactNode
}

/** The name of an item: `tenant` and `tenants`. */
export type Nouns = readonly [one: string, many: string]

/** The rows of a page. */
export const pageSize = 20

/** Loads a list that the service returns as a whole. */
export function useWholeList<Row>(path: string): ListState<Row> {
  const { data, error, refetch } = useRead<readonly Row[]>(path)
  return { rows: data, error, retry: () => void refetch(), toFirst: undefined }
}

/** Loads a cursor-paginated list; the cursor is in the URL. */
export function useCursorList<Row>(path: string, nouns: Nouns, query: Query = {}): ListState<Row> {
  const { cursor, turn, isFirst } = useAddress()
  const read = useRead<CursorPage<Row>>(path, { query: { ...query, ...cursor, limit: pageSize }, keep: true })
  const { data, error } = read
  return {
    rows: data?.data,
    error,
    retry: () => void read.refetch(),
    toFirst: isFirst ? undefined : () => turn({}),
    pager: data && <CursorPager page={data} turn={turn} nouns={nouns} />,
  }
}

/** The page number, which is stored in the URL. */
export interface PageNumber {
  /** From 0. */
  readonly number: number
  /** Goes to the first page; undefined on the first page. */
  readonly toFirst: (() => void) | undefined
  /** Links to the previous and next pages; renders nothing if there is only one page. */
  pager(of: { readonly hasMore: boolean; readonly total?: number; readonly nouns?: Nouns }): ReactNode
}

/** Returns the page number from the URL. */
export function usePageNumber(): PageNumber {
  const { get, turn } = useAddress()
  const number = Math.max(0, Number.parseInt(get('page') ?? '0', 10) || 0)
  return {
    number,
    toFirst: number === 0 ? undefined : () => turn({}),
    pager: ({ hasMore, ...rest }) =>
      (number > 0 || hasMore || rest.total !== undefined) && (
        <Pager
          {...rest}
          onPrevious={number === 0 ? undefined : () => turn({ page: number === 1 ? undefined : String(number - 1) })}
          onNext={hasMore ? () => turn({ page: String(number + 1) }) : undefined}
        />
      ),
  }
}

/** Loads a list by page number. */
export function useNumberedList<Row>(path: string): ListState<Row> {
  const page = usePageNumber()
  const read = useRead<NumberedPage<Row>>(path, { query: { page: page.number, limit: pageSize }, keep: true })
  const { data, error } = read
  return {
    rows: data?.data,
    error,
    retry: () => void read.refetch(),
    toFirst: page.toFirst,
    pager: data && page.pager({ hasMore: data.hasMore }),
  }
}
