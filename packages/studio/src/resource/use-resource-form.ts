import { type FormEvent, useState } from 'react'
import type { SendRequest } from '../api/api.ts'
import type { ApiFailure } from '../api/api-failure.ts'
import { useSend } from '../session/queries.ts'
import type { FormField, FormValues } from './form-field.ts'

/** The options of a resource form. */
export interface ResourceFormOptions {
  /** The saved values. */
  readonly initial: FormValues
  /** Returns the request that saves values. */
  toRequest(values: FormValues): SendRequest
  /** Opens the resource that saving would overwrite, if there is one, instead of saving. Returns whether it did. */
  openExisting?(values: FormValues): boolean
  /** Paths to refetch. */
  readonly touches: readonly string[]
  /** Receives the service's response. */
  onSaved?(answer: never): void
}

/** The state of a form during editing. */
export interface ResourceFormState {
  readonly values: FormValues
  /** Changes a value. */
  set(name: string, value: unknown): void
  /** Whether a value differs from the saved one. */
  readonly isChanged: boolean
  /** Discards the changes. */
  discard(): void
  /** Saves the values. */
  submit(event: FormEvent): void
  /** Whether the values are being saved. */
  readonly isSaving: boolean
  /** Why saving failed. */
  readonly error: ApiFailure | undefined
  /** Returns the error of a field. */
  errorOf(field: FormField): string | undefined
}

/**
 * Holds the values of a form until they are saved. After saving, they are replaced by the values that the service
 * returns, except for values that were changed in the meantime.
 */
export function useResourceForm(options: ResourceFormOptions): ResourceFormState {
  const { initial, toRequest, openExisting, touches, onSaved } = options
  const [changes, setChanges] = useState<FormValues>({})
  const send = useSend<never>(touches)
  const values = { ...initial, ...changes }
  const isChanged = Object.keys(changes).some((name) => !isSame(values[name], initial[name]))
  return {
    values,
    set: (name, value) => setChanges((before) => ({ ...before, [name]: value })),
    isChanged,
    discard: () => {
      setChanges({})
      send.reset()
    },
    submit: (event) => {
      event.preventDefault()
      if (openExisting?.(values)) return
      send.mutate(toRequest(values), {
        onSuccess: (answer) => {
          setChanges((now) =>
            Object.fromEntries(Object.entries(now).filter(([name, value]) => !isSame(value, values[name]))),
          )
          onSaved?.(answer)
        },
      })
    },
    isSaving: send.isPending,
    error: send.error ?? undefined,
    errorOf: ({ name, errorName = name }) => send.error?.details.fields?.[errorName]?.join(' '),
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
