import type { ReactNode } from 'react'
import type { RunDetail } from '../../../api/generated/resources.ts'
import { JsonBlock } from '../../../ui/data/code-block.tsx'
import { formatDuration, formatTime } from '../../../ui/time-text.tsx'
import style from './history-list.module.css'

export interface HistoryListProps {
  /** The events, in order. */
  readonly details: readonly RunDetail[]
  /** When the run started; times are relative to it. */
  readonly beganAt: string
}

/** Lists events with the time since the start of the run and their data. */
export function HistoryList({ details, beganAt }: HistoryListProps): ReactNode {
  const beganMs = Date.parse(beganAt)
  return (
    <ol className={style['history']}>
      {details.map(({ _id, status, detail, raw, createdAt }) => (
        <li key={_id} data-status={status}>
          <time dateTime={createdAt} data-tip={formatTime(createdAt)}>
            +{formatDuration(Math.max(0, Date.parse(createdAt) - beganMs))}
          </time>
          <div>
            <p>{detail}</p>
            {raw !== null && (
              <details>
                <summary>Data</summary>
                <JsonBlock value={raw} label={`the data of: ${detail}`} />
              </details>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}
