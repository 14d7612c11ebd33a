import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import style from './pager.module.css'

/** What the foot of a list is given. */
export interface PagerProps {
  /** How many items match. */
  readonly total: number
  /** Whether more than that match. */
  readonly capped?: boolean | undefined
  /** What an item is called: `run` and `runs`. */
  readonly nouns: readonly [one: string, many: string]
  /** Shows the page before; absent on the first one. */
  readonly onPrevious?: (() => void) | undefined
  /** Shows the page after; absent on the last one. */
  readonly onNext?: (() => void) | undefined
}

/** Says how many items a list has, and leads to its other pages. */
export function Pager({ total, capped = false, nouns: [one, many], onPrevious, onNext }: PagerProps): ReactNode {
  return (
    <footer className={style['pager']}>
      <p>
        {total.toLocaleString('en')}
        {capped && ' or more'} {total === 1 ? one : many}
      </p>
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
