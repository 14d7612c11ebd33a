import type { ReactNode } from 'react'
import { Badge } from '../ui/badge.tsx'
import style from './device.module.css'
import { type PreviewProps, textOf } from './outputs.ts'
import { countSmsSegments } from './sms-segments.ts'

/** Shows an SMS as a bubble, with its segments. */
export function SmsPreview({ outputs }: Pick<PreviewProps, 'outputs'>): ReactNode {
  const body = textOf(outputs, 'body') ?? ''
  const { segments, encoding, units, left, foreign } = countSmsSegments(body)
  return (
    <div className={style['stack']}>
      <div className={style['phone']}>
        <p className={style['bubble']}>{body}</p>
      </div>
      <p className={style['meta']}>
        <Badge tone={segments > 1 ? 'warn' : 'neutral'}>{segments === 1 ? '1 segment' : `${segments} segments`}</Badge>
        <Badge>{encoding}</Badge>
        <span>
          {units} {encoding === 'GSM-7' ? 'characters' : 'units'}, {left} left in the last segment
        </span>
      </p>
      {foreign.length > 0 && (
        <p className={style['hint']}>
          {foreign.map((character) => `“${character}”`).join(' ')} {foreign.length === 1 ? 'is' : 'are'} not in the
          GSM-7 alphabet, so a segment holds 70 units and not 160.
        </p>
      )}
    </div>
  )
}
