import type { ReactNode } from 'react'
import style from './switch.module.css'

/** What a switch is given. */
export interface SwitchProps {
  /** What it switches, for screen readers. */
  readonly label: string
  /** Whether it is on. */
  readonly checked: boolean
  /** Whether it cannot be switched. @default false */
  readonly disabled?: boolean
  /** Said where it cannot be switched. */
  readonly title?: string | undefined
  /** Receives whether it shall be on. */
  onChange(checked: boolean): void
}

/** Switches something on or off, at once. */
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
