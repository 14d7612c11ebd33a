import { type FormEvent, useState } from 'react'
import type { SendRequest } from '../api/api.ts'
import type { ApiFailure } from '../api/api-failure.ts'
import { useSend } from '../session/queries.ts'
import type { FormField, FormValues } from './form-field.ts'

/** What a form edits. */
export interface ResourceFormOptions {
  /** The saved values. */
  readonly initial: FormValues
  /** Returns the request that saves values. */
  toRequest(values: FormValues): SendRequest
  /** Paths whose answers change. */
  readonly touches: readonly string[]
  /** Receives the answer of the service. */
  onSaved?(answer: never): void
}

/** A form while it is edited. */
export interface ResourceFormState {
  /** The values. */
  readonly values: FormValues
  /** Changes a value. */
  set(name: string, value: unknown): void
  /** Whether a value differs from the saved one. */
  readonly isChanged: boolean
  /** Discards the changes. */
  discard(): void
  /** Saves the values. */
  submit(event: FormEvent): void
  /** Whether they are being saved. */
  readonly isSaving: boolean
  /** Why they were not saved. */
  readonly error: ApiFailure | undefined
  /** Returns what is wrong with a field. */
  errorOf(field: FormField): string | undefined
}

/** Holds the values of a form until they are saved. What the service then returns as saved replaces them. */
export function useResourceForm(options: ResourceFormOptions): ResourceFormState {
  const { initial, toRequest, touches, onSaved } = options
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
      send.mutate(toRequest(values), {
        onSuccess: (answer) => {
          setChanges({})
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
