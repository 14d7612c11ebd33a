import { type ComponentProps, type ReactNode, useId } from 'react'
import style from './field.module.css'

/** Props of a text field, in addition to the attributes of `<input>`. */
export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  /** Its name. */
  readonly label: string
  /** Whether the label is only for screen readers. @default false */
  readonly hideLabel?: boolean
  readonly value: string
  /** Receives the edited value. */
  onChange(value: string): void
  /** A hint below the field. */
  readonly hint?: ReactNode
  /** The error of the value. */
  readonly error?: string | undefined
  /** Whether it contains code, such as an identifier. @default false */
  readonly mono?: boolean
  /** Content at the start of the field. */
  readonly icon?: ReactNode
}

/** A field for a line of text. */
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
