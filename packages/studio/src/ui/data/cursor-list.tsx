import { ListX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Empty } from '../empty.tsx'
import { Pager } from './pager.tsx'

/** What a list by cursor is given. */
export interface CursorListProps {
  /** The page that is shown, and the places of its neighbours. */
  readonly page: {
    readonly data: readonly unknown[]
    readonly next: string | null
    readonly previous: string | null
    readonly totalCount: number
    readonly totalCountCapped?: boolean
  }
  /** Whether it is the first page, and what turns to another one. */
  readonly address: {
    readonly isFirst: boolean
    turn(to: { readonly after?: string; readonly before?: string }): void
  }
  /** What an item is called: `run` and `runs`. */
  readonly nouns: readonly [one: string, many: string]
  /** Shown where the whole list is empty. */
  readonly empty: ReactNode
  /** Shows the items. */
  readonly children: ReactNode
}

/** Shows a page of a list, and leads to its other pages. */
export function CursorList({ page, address, nouns, empty, children }: CursorListProps): ReactNode {
  const { data, next, previous, totalCount, totalCountCapped } = page
  const { isFirst, turn } = address
  if (data.length === 0 && isFirst) return empty
  if (data.length === 0)
    return (
      <Empty
        icon={<ListX size={20} />}
        title="This page is empty now"
        action={<Button onClick={() => turn({})}>To the first page</Button>}
      >
        Its items were removed, or the link belongs to another list.
      </Empty>
    )
  return (
    <>
      {children}
      <Pager
        total={totalCount}
        capped={totalCountCapped}
        nouns={nouns}
        onPrevious={previous === null ? undefined : () => turn({ before: previous })}
        onNext={next === null ? undefined : () => turn({ after: next })}
      />
    </>
  )
}
