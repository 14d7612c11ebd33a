import type { ReactNode } from 'react'
import style from './skeleton.module.css'

export interface SkeletonProps {
  /** The number of lines. @default 1 */
  readonly rows?: number
  /** The height of a line, in pixels. @default 16 */
  readonly height?: number
  /** The CSS width. @default '100%' */
  readonly width?: string
}

/** A placeholder for loading content, of the same size. */
export function Skeleton({ rows = 1, height = 16, width = '100%' }: SkeletonProps): ReactNode {
  return (
    <div className={style['rows']} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <span key={row} className={style['skeleton']} style={{ height, width }} />
      ))}
    </div>
  )
}
