import type { ReactElement } from 'react'

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  onChange(isOn: boolean): void
}

/** Shows a labeled switch. */
export function Switch({ label, isOn, onChange }: SwitchProps): ReactElement {
  return (
    <label className="trestle-switch">
      <span className="trestle-grow">{label}</span>
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says itself whether it is checked
        role="switch"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </label>
  )
}
