import type { ReactNode } from 'react'
import { type Need, useRefusal } from '../../base/access.tsx'
import style from './switch.module.css'

export interface SwitchProps {
  /** The accessible label. */
  readonly label: string
  /** Whether the switch is on. */
  readonly checked: boolean
  /** Whether the switch is disabled. @default false */
  readonly disabled?: boolean
  /** Why the switch is disabled. */
  readonly reason?: string | undefined
  /** The permission it needs; the switch is disabled for a person whose role does not include it. @default none */
  readonly needs?: Need
  /** Receives the new state. */
  onChange(checked: boolean): void
}

/** A switch whose change is applied immediately. */
export function Switch({ label, checked, disabled = false, reason, needs, onChange }: SwitchProps): ReactNode {
  const why = useRefusal(needs) ?? (disabled ? reason : undefined)
  const isOff = disabled || why !== undefined
  return (
    <input
      type="checkbox"
      role="switch"
      className={style['switch']}
      aria-label={label}
      aria-checked={checked}
      aria-description={why}
      data-tip={why}
      checked={checked}
      // A disabled input shows no tooltip.
      disabled={isOff && why === undefined}
      aria-disabled={isOff || undefined}
      onChange={(event) => !isOff && onChange(event.target.checked)}
    />
  )
}
