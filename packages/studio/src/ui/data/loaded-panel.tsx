import type { ReactNode } from 'react'
import type { ApiFailure } from '../../api/api-failure.ts'
import { Failure } from '../notice.tsx'
import { Panel } from '../panel.tsx'
import { Skeleton } from '../skeleton.tsx'
import style from './loaded-panel.module.css'

/** The state of a request, such as the result of `useRead`. */
export interface Loading<T> {
  readonly data: T | undefined
  readonly error: ApiFailure | null
  /** Sends the request again. */
  refetch(): unknown
}

export interface LoadedPanelProps<T> {
  /** What is loaded, as in `Couldn't load the topics`. */
  readonly what: string
  readonly read: Loading<T>
  /** The number of placeholder rows. @default 5 */
  readonly rows?: number
  /** Shows the loaded data. */
  children(data: T): ReactNode
}

/** A panel with loaded data: placeholders while it loads, and if that failed, the reason above or instead of it. */
export function LoadedPanel<T>({ what, read, rows = 5, children }: LoadedPanelProps<T>): ReactNode {
  const { data, error } = read
  return (
    <>
      {error && <Failure title={`Couldn't load ${what}`} error={error} onRetry={() => void read.refetch()} />}
      {(data !== undefined || !error) && (
        <Panel flush>
          {data === undefined ? (
            <div className={style['loading']}>
              <Skeleton rows={rows} height={28} />
            </div>
          ) : (
            children(data)
          )}
        </Panel>
      )}
    </>
  )
}
