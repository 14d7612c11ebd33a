import type { ReactNode } from 'react'

/** The values of a form, by the names of its fields. */
export type FormValues = Readonly<Record<string, unknown>>

/** A field of a form. */
export interface FormField {
  /** Its name in the values. */
  readonly name: string
  /** Its label. */
  readonly label: string
  /** The input. @default 'text' */
  readonly kind?: 'text' | 'number' | 'switch' | 'multiline' | 'json' | 'select' | undefined
  /** Shown below it. */
  readonly hint?: ReactNode
  /** Shown while it is empty. */
  readonly placeholder?: string | undefined
  /** Whether it must have a value. @default false */
  readonly required?: boolean | undefined
  /** Whether it holds something for machines, such as an identifier. @default false */
  readonly mono?: boolean | undefined
  /** Whether its value is hidden while it is typed. @default false */
  readonly secret?: boolean | undefined
  /** Whether it takes the whole width of a form. @default whether it is long */
  readonly isWide?: boolean | undefined
  /** The values to choose from. */
  readonly options?: readonly { readonly value: string; readonly text: string }[]
  /** The name that the service uses in errors. @default the name */
  readonly errorName?: string
}

/** Returns values without those that are empty texts. */
export function withoutEmpty(values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== undefined))
}
