import type { ReactNode } from 'react'
import type { BridgeCall } from '../../../api/generated/resources.ts'
import { Badge } from '../../../ui/badge.tsx'
import { JsonBlock } from '../../../ui/data/code-block.tsx'
import { formatDuration, TimeText } from '../../../ui/time-text.tsx'
import style from './step-body.module.css'

export interface CallViewProps {
  readonly call: BridgeCall
  /** Its number, if the step has several calls. */
  readonly number: number | undefined
}

/** Shows a bridge call: request and response. Secrets were masked when it was stored. */
export function CallView({ call, number }: CallViewProps): ReactNode {
  const { url, status, durationMs, request, reply, createdAt } = call
  const place = number === undefined ? '' : ` of call ${number}`
  const isGood = status !== null && status < 400
  return (
    <div className={style['call']}>
      <p className={style['callHead']}>
        <Badge tone={isGood ? 'good' : 'bad'}>{status ?? 'No response'}</Badge>
        <code>POST {url}</code>
        <span>
          {formatDuration(durationMs)}, <TimeText at={createdAt} />
        </span>
      </p>
      <div className={style['pair']}>
        <div className={style['labelled']}>
          <h3>Request</h3>
          <JsonBlock value={request} label={`the request${place}`} />
        </div>
        <div className={style['labelled']}>
          <h3>Response</h3>
          <JsonBlock value={reply} label={`the response${place}`} />
        </div>
      </div>
    </div>
  )
}
