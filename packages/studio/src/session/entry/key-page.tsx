import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiFailure } from '../../api/api-failure.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type OpenSession, openWith } from '../session.tsx'
import { EntryCard } from './entry-card.tsx'

export interface KeyPageProps {
  /** Whether the service did not respond. */
  readonly unreachable: boolean
  /** Whether the user followed a link that is no longer valid. */
  readonly isLinkUsed: boolean
  /** Receives the session that the key opened. */
  onOpen(session: OpenSession): void
  onRetry(): void
}

/** Asks for an environment's secret key if no link has opened a session. */
export function KeyPage({ unreachable, isLinkUsed, onOpen, onRetry }: KeyPageProps): ReactNode {
  const [key, setKey] = useState('')
  const [failure, setFailure] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)

  const open = async (secretKey: string): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      onOpen(await openWith({ secretKey }))
    } catch (error) {
      setFailure(
        error instanceof ApiFailure && error.details.status === 401
          ? 'The service does not know this key. Copy the secret key of the environment from the terminal.'
          : String(error instanceof Error ? error.message : error),
      )
      setBusy(false)
    }
  }

  return (
    <EntryCard title={unreachable ? 'The service does not respond' : 'Open an environment'}>
      {unreachable ? (
        <>
          <p>The studio needs the service that serves it. Start the service again, then retry.</p>
          <Button variant="primary" onClick={onRetry}>
            Retry
          </Button>
        </>
      ) : (
        <>
          {isLinkUsed && (
            <Notice tone="bad" title="This link was already used, or was created before the service restarted." />
          )}
          <KeyForm value={key} onChange={setKey} busy={busy} failure={failure} onSubmit={() => void open(key.trim())} />
        </>
      )}
    </EntryCard>
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
        Open the link that the terminal printed when the service started, or enter the secret key of an environment. The
        key is not kept in this browser.
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
