import type { ReactNode } from 'react'
import style from './skeleton.module.css'

/** What a skeleton is given. */
export interface SkeletonProps {
  /** How many lines it stands for. @default 1 */
  readonly rows?: number
  /** Height of a line in pixels. @default 16 */
  readonly height?: number
  /** Width as CSS has it. @default '100%' */
  readonly width?: string
}

/** Holds the place of something that is being read, at its size. */
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
