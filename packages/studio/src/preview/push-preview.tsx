import { BellRing } from 'lucide-react'
import type { ReactNode } from 'react'
import style from './device.module.css'
import { type PreviewProps, textOf } from './outputs.ts'

/** Shows a push message as a notification on a phone. */
export function PushPreview({ outputs }: Pick<PreviewProps, 'outputs'>): ReactNode {
  return (
    <div className={style['phone']}>
      <p className={style['clock']} aria-hidden>
        9:41
      </p>
      <div className={style['notice']}>
        <span className={style['app']}>
          <BellRing size={17} aria-hidden />
        </span>
        <div className={style['text']}>
          <p className={style['line']}>
            <strong>{textOf(outputs, 'subject')}</strong>
            <span className={style['when']}>now</span>
          </p>
          <p className={style['clamp']}>{textOf(outputs, 'body')}</p>
        </div>
      </div>
    </div>
  )
}
