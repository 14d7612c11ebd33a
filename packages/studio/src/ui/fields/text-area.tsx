import { type ReactNode, useId } from 'react'
import style from './field.module.css'

/** Props of a field for several lines of text. */
export interface TextAreaProps {
  /** Its name. */
  readonly label: string
  readonly value: string
  /** Receives the edited value. */
  onChange(value: string): void
  /** A hint below the field. */
  readonly hint?: ReactNode
  /** The error of the value. */
  readonly error?: string | undefined
  readonly placeholder?: string | undefined
  /** Whether a value is required. @default false */
  readonly required?: boolean
  /** The visible lines. @default 4 */
  readonly rows?: number
  /** Whether it contains code or data, such as JSON. @default false */
  readonly mono?: boolean
}

/** Asks for several lines of text. */
export function TextArea(props: TextAreaProps): ReactNode {
  const { label, value, onChange, hint, error, placeholder, required = false, rows = 4, mono = false } = props
  const id = useId()
  const said = error ?? hint
  return (
    <div className={style['field']}>
      <label htmlFor={id} className={style['label']}>
        {label}
      </label>
      <textarea
        id={id}
        className={`${style['input']} ${style['area']} ${mono ? style['mono'] : ''}`}
        rows={rows}
        spellCheck={!mono}
        required={required}
        placeholder={placeholder}
        value={value}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={said === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      {said !== undefined && (
        <p id={`${id}-hint`} className={error === undefined ? style['hint'] : style['error']}>
          {said}
        </p>
      )}
    </div>
  )
}
