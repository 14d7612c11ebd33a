import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import style from './pager.module.css'

export interface PagerProps {
  /** The number of matching items, if available. */
  readonly total?: number
  /** Whether more items match than were counted. */
  readonly capped?: boolean | undefined
  /** The name of an item: `run` and `runs`. */
  readonly nouns?: readonly [one: string, many: string] | undefined
  /** Goes to the previous page; absent on the first one. */
  readonly onPrevious?: (() => void) | undefined
  /** Goes to the next page; absent on the last one. */
  readonly onNext?: (() => void) | undefined
}

/** Shows the number of items, and buttons that change the page. */
export function Pager({ total, capped = false, nouns: [one, many] = ['', ''], ...turns }: PagerProps): ReactNode {
  const { onPrevious, onNext } = turns
  return (
    <footer className={style['pager']}>
      {total !== undefined && (
        <p>
          {total.toLocaleString('en')}
          {capped && ' or more'} {total === 1 ? one : many}
        </p>
      )}
      {(onPrevious || onNext) && (
        <div className={style['buttons']}>
          <Button small icon={<ChevronLeft size={14} />} disabled={!onPrevious} onClick={onPrevious}>
            Newer
          </Button>
          <Button small disabled={!onNext} onClick={onNext}>
            Older
            <ChevronRight size={14} aria-hidden />
          </Button>
        </div>
      )}
    </footer>
  )
}
