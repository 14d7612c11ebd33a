import { ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import style from './field.module.css'

export interface SelectFieldProps {
  /** Its name. */
  readonly label: string
  /** Whether the label is visible only to screen readers. @default false */
  readonly hideLabel?: boolean
  readonly value: string
  /** The available values. */
  readonly options: readonly { readonly value: string; readonly text: string }[]
  /** Receives the selected value. */
  onChange(value: string): void
}

/**
 * Selects one of several values with the browser's native list, which works with every keyboard, screen reader and
 * phone.
 */
export function SelectField({ label, hideLabel = false, value, options, onChange }: SelectFieldProps): ReactNode {
  const id = useId()
  return (
    <div className={style['field']}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : style['label']}>
        {label}
      </label>
      <div className={style['box']}>
        <select
          id={id}
          className={`${style['input']} ${style['select']}`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
        <ChevronsUpDown className={style['chevron']} size={14} aria-hidden />
      </div>
    </div>
  )
}
