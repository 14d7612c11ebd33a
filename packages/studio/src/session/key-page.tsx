import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { ApiFailure } from '../api/api-failure.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { Notice } from '../ui/notice.tsx'
import style from './key-page.module.css'
import { type Environment, fetchEnvironment } from './session.tsx'

/** Where the typed key is kept until the browser's tab is closed. */
export const keyEntry = 'trestle.secretKey'

/** What the page that asks for a key is given. */
export interface KeyPageProps {
  /** Whether the service did not answer. */
  readonly unreachable: boolean
  /** Receives the environment that the key opens. */
  onOpen(environment: Environment): void
  /** Asks the service again. */
  onRetry(): void
}

/** Asks for an environment's secret key, where the service does not hand one out. */
export function KeyPage({ unreachable, onOpen, onRetry }: KeyPageProps): ReactNode {
  const [key, setKey] = useState(() => sessionStorage.getItem(keyEntry) ?? '')
  const [failure, setFailure] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)

  const open = async (secretKey: string): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      const environment = await fetchEnvironment(secretKey)
      sessionStorage.setItem(keyEntry, secretKey)
      onOpen(environment)
    } catch (error) {
      setFailure(
        error instanceof ApiFailure && error.details.status === 401
          ? 'The service does not know this key. Copy the secret key of the environment as it was printed at the first start.'
          : String(error instanceof Error ? error.message : error),
      )
      setBusy(false)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a key that is stored is tried once, when the page opens
  useEffect(() => {
    if (key !== '' && !unreachable) void open(key)
  }, [])

  return (
    <main className={style['page']}>
      <div className={style['card']}>
        <img src="/studio/icon.svg" alt="" width="40" height="40" />
        <h1>{unreachable ? 'The service does not answer' : 'Open an environment'}</h1>
        {unreachable ? (
          <>
            <p>The studio needs the service that serves it. Start the service again, then retry.</p>
            <Button variant="primary" onClick={onRetry}>
              Retry
            </Button>
          </>
        ) : (
          <KeyForm value={key} onChange={setKey} busy={busy} failure={failure} onSubmit={() => void open(key.trim())} />
        )}
      </div>
    </main>
  )
}

interface KeyFormProps {
  readonly value: string
  onChange(value: string): void
  readonly busy: boolean
  readonly failure: string | undefined
  onSubmit(): void
}

function KeyForm({ value, onChange, busy, failure, onSubmit }: KeyFormProps): ReactNode {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (value.trim() !== '') onSubmit()
  }
  return (
    <form onSubmit={submit}>
      <p>
        This service keeps its keys to itself. Enter the secret key of the environment that you want to see. It stays in
        this browser tab until the tab is closed.
      </p>
      <TextField
        label="Secret key"
        value={value}
        onChange={onChange}
        type="password"
        placeholder="sk_…"
        autoComplete="off"
        mono
      />
      {failure !== undefined && <Notice tone="bad" title={failure} />}
      <Button variant="primary" type="submit" busy={busy} disabled={value.trim() === ''}>
        Open
      </Button>
    </form>
  )
}
