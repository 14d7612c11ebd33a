import { ListX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Empty } from '../empty.tsx'
import { Pager, type PagerProps } from './pager.tsx'

export interface ListPageProps {
  /** The number of items on the page. */
  readonly count: number
  /** Goes to the first page; undefined on the first page. */
  readonly toFirst: (() => void) | undefined
  /** Shown if the entire list is empty. */
  readonly empty: ReactNode
  readonly pager: ReactNode
  /** The items. */
  readonly children: ReactNode
}

/** Shows the items of a list page and its pager, or says why there are none. */
export function ListPage({ count, toFirst, empty, pager, children }: ListPageProps): ReactNode {
  if (count === 0 && !toFirst) return empty
  if (count === 0)
    return (
      <Empty
        icon={<ListX size={20} />}
        title="This page is empty now"
        action={<Button onClick={toFirst}>Go to the first page</Button>}
      >
        Its items were removed, or the link belongs to another list.
      </Empty>
    )
  return (
    <>
      {children}
      {pager}
    </>
  )
}

/** The size of a list, and the cursors of the adjacent pages. */
interface Cursors {
  readonly next: string | null
  readonly previous: string | null
  readonly totalCount: number
  readonly totalCountCapped?: boolean
}

export interface CursorPagerProps extends Pick<PagerProps, 'nouns'> {
  readonly page: Cursors
  turn(to: { readonly after?: string; readonly before?: string }): void
}

/** The pager of a cursor-paginated list. */
export function CursorPager({ page, turn, nouns }: CursorPagerProps): ReactNode {
  const { next, previous, totalCount, totalCountCapped } = page
  return (
    <Pager
      total={totalCount}
      capped={totalCountCapped}
      nouns={nouns}
      onPrevious={previous === null ? undefined : () => turn({ before: previous })}
      onNext={next === null ? undefined : () => turn({ after: next })}
    />
  )
}

export interface CursorListProps extends Pick<ListPageProps, 'empty' | 'children'> {
  /** The current page. */
  readonly page: Cursors & { readonly data: readonly unknown[] }
  /** Whether it is the first page, and a function that changes the page. */
  readonly address: { readonly isFirst: boolean } & Pick<CursorPagerProps, 'turn'>
  /** The name of an item: `run` and `runs`. */
  readonly nouns: readonly [one: string, many: string]
}

/** Shows a page of a cursor-paginated list and its pager. */
export function CursorList({ page, address, nouns, empty, children }: CursorListProps): ReactNode {
  const { isFirst, turn } = address
  return (
    <ListPage
      count={page.data.length}
      toFirst={isFirst ? undefined : () => turn({})}
      empty={empty}
      pager={<CursorPager page={page} turn={turn} nouns={nouns} />}
    >
      {children}
    </ListPage>
  )
}
