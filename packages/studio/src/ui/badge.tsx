import type { ReactNode } from 'react'
import { ownEntry } from '../base/own-entry.ts'
import style from './badge.module.css'

/** What a colour says: `accent` stands out, `good`, `warn` and `bad` judge. */
export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad'

/** What a badge is given. */
export interface BadgeProps {
  /** What its colour says. @default 'neutral' */
  readonly tone?: Tone
  /** Shown before the text. */
  readonly icon?: ReactNode
  /** Whether a dot stands before the text, as for a state. @default false */
  readonly dot?: boolean
  /** One or two words. */
  readonly children: ReactNode
}

/** Shows a state or a tag in one or two words. */
export function Badge({ tone = 'neutral', icon, dot = false, children }: BadgeProps): ReactNode {
  return (
    <span className={`${style['badge']} ${ownEntry(style, tone)}`}>
      {dot && <span className={style['dot']} aria-hidden />}
      {icon}
      <span className={style['text']}>{children}</span>
    </span>
  )
}
