import { type ReactNode, useId } from 'react'
import style from './field.module.css'

/** What a field for several lines of text is given. */
export interface TextAreaProps {
  /** Its name. */
  readonly label: string
  /** What it holds. */
  readonly value: string
  /** Receives what was typed. */
  onChange(value: string): void
  /** Shown below it. */
  readonly hint?: ReactNode
  /** What is wrong with the value. */
  readonly error?: string | undefined
  /** Shown while it is empty. */
  readonly placeholder?: string | undefined
  /** Whether it must have a value. @default false */
  readonly required?: boolean
  /** Whether it holds something for machines. @default false */
  readonly mono?: boolean
}

/** Asks for several lines of text. */
export function TextArea(props: TextAreaProps): ReactNode {
  const { label, value, onChange, hint, error, placeholder, required = false, mono = false } = props
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
        rows={4}
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
