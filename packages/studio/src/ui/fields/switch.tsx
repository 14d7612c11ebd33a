import type { ReactNode } from 'react'
import style from './switch.module.css'

export interface SwitchProps {
  /** The accessible label. */
  readonly label: string
  /** Whether it is on. */
  readonly checked: boolean
  /** Whether it is disabled. @default false */
  readonly disabled?: boolean
  /** Why it is disabled. */
  readonly title?: string | undefined
  /** Receives the new state. */
  onChange(checked: boolean): void
}

/** A switch that takes effect at once. */
export function Switch({ label, checked, disabled = false, title, onChange }: SwitchProps): ReactNode {
  return (
    <input
      type="checkbox"
      role="switch"
      className={style['switch']}
      aria-label={label}
      aria-checked={checked}
      title={title}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
}
