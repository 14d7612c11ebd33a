import { type ComponentProps, type ReactNode, useId } from 'react'
import style from './field.module.css'

/** What a field for a line of text is given, beside the attributes of `<input>`. */
export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  /** Its name. */
  readonly label: string
  /** Whether the name is only read out. @default false */
  readonly hideLabel?: boolean
  /** What it holds. */
  readonly value: string
  /** Receives what was typed. */
  onChange(value: string): void
  /** Said below it. */
  readonly hint?: ReactNode
  /** What is wrong with the value. */
  readonly error?: string | undefined
  /** Whether it holds something for machines, such as an identifier. @default false */
  readonly mono?: boolean
  /** Shown at its start. */
  readonly icon?: ReactNode
}

/** Asks for a line of text. */
export function TextField(props: TextFieldProps): ReactNode {
  const { label, hideLabel = false, value, onChange, hint, error, mono = false, icon, ...rest } = props
  const id = useId()
  const described = error === undefined && hint === undefined ? undefined : `${id}-hint`
  return (
    <div className={style['field']}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : style['label']}>
        {label}
      </label>
      <div className={style['box']}>
        {icon !== undefined && <span className={style['icon']}>{icon}</span>}
        <input
          {...rest}
          id={id}
          className={`${style['input']} ${mono ? style['mono'] : ''} ${icon === undefined ? '' : style['withIcon']}`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={described}
        />
      </div>
      {described !== undefined && (
        <p id={described} className={error === undefined ? style['hint'] : style['error']}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}
