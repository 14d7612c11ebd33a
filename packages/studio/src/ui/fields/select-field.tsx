import { ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import style from './field.module.css'

/** What a field for one of several values is given. */
export interface SelectFieldProps {
  /** Its name. */
  readonly label: string
  /** Whether the name is only read out. @default false */
  readonly hideLabel?: boolean
  /** The value that is chosen. */
  readonly value: string
  /** Values to choose from. */
  readonly options: readonly { readonly value: string; readonly text: string }[]
  /** Receives what was chosen. */
  onChange(value: string): void
}

/** Asks for one of several values, with the list of the browser: it suits every keyboard, screen reader and phone. */
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
