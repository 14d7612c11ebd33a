import type { ReactNode } from 'react'
import { ownEntry } from '../base/own-entry.ts'
import style from './badge.module.css'

/** The meaning of a color: `accent` is prominent; `good`, `warn` and `bad` express a rating. */
export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad'

export interface BadgeProps {
  /** The color. @default 'neutral' */
  readonly tone?: Tone
  readonly icon?: ReactNode
  /** Whether to show a dot, for statuses. @default false */
  readonly dot?: boolean
  /** The label: one or two words. */
  readonly children: ReactNode
}

/** Shows a status or a tag. */
export function Badge({ tone = 'neutral', icon, dot = false, children }: BadgeProps): ReactNode {
  return (
    <span className={`${style['badge']} ${ownEntry(style, tone)}`}>
      {dot && <span className={style['dot']} aria-hidden />}
      {icon}
      <span className={style['text']}>{children}</span>
    </span>
  )
}
