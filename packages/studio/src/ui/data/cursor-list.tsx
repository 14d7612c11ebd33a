import { ListX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Empty } from '../empty.tsx'
import { Pager } from './pager.tsx'

export interface CursorListProps {
  /** The current page, with the cursors of the adjacent pages. */
  readonly page: {
    readonly data: readonly unknown[]
    readonly next: string | null
    readonly previous: string | null
    readonly totalCount: number
    readonly totalCountCapped?: boolean
  }
  /** Whether it is the first page, and functions that change the page. */
  readonly address: {
    readonly isFirst: boolean
    turn(to: { readonly after?: string; readonly before?: string }): void
  }
  /** The name of an item: `run` and `runs`. */
  readonly nouns: readonly [one: string, many: string]
  /** Shown if the entire list is empty. */
  readonly empty: ReactNode
  /** Renders the items. */
  readonly children: ReactNode
}

/** Shows a list page and its pager. */
export function CursorList({ page, address, nouns, empty, children }: CursorListProps): ReactNode {
  const { data, next, previous, totalCount, totalCountCapped } = page
  const { isFirst, turn } = address
  if (data.length === 0 && isFirst) return empty
  if (data.length === 0)
    return (
      <Empty
        icon={<ListX size={20} />}
        title="This page is empty now"
        action={<Button onClick={() => turn({})}>Go to the first page</Button>}
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
