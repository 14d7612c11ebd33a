import type { ReactNode } from 'react'

/** Form values by field name. */
export type FormValues = Readonly<Record<string, unknown>>

/** A field of a form. */
export interface FormField {
  /** The key of the field in the form values. */
  readonly name: string
  readonly label: string
  /** The type of input. @default 'text' */
  readonly kind?: 'text' | 'number' | 'switch' | 'multiline' | 'json' | 'select' | undefined
  /** The hint shown below the field. */
  readonly hint?: ReactNode
  /** The placeholder shown while the field is empty. */
  readonly placeholder?: string | undefined
  /** Whether the field is required. @default false */
  readonly required?: boolean | undefined
  /** Whether the value is machine-readable, such as an identifier. @default false */
  readonly mono?: boolean | undefined
  /** Whether the value is hidden while it is typed. @default false */
  readonly secret?: boolean | undefined
  /** Whether the field spans the full width of the form. @default whether it is long */
  readonly isWide?: boolean | undefined
  /** The values to choose from. */
  readonly options?: readonly { readonly value: string; readonly text: string }[]
  /** The name that the service uses in errors. @default the field's name */
  readonly errorName?: string
}

/** Returns the values without empty strings. */
export function withoutEmpty(values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== undefined))
}
