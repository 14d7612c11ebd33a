import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { ApiFailure } from '../../api/api-failure.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Account } from '../session.tsx'
import { providerAddress, signIn } from './account-calls.ts'
import style from './entry-card.module.css'
import { EntryCard } from './entry-card.tsx'

/** Messages for failed sign-ins through the provider, by the reason that the service adds to the URL. */
const reasons = {
  unverified: 'The provider has not verified your email address.',
  domain: 'Email addresses from your domain cannot sign in here.',
  uninvited: 'No account exists for your email address. Ask an admin to invite you.',
  disabled: 'Your account is disabled.',
  'other-identity': 'Your email address belongs to another person at the provider. Ask an admin.',
  unreachable: 'The provider does not respond. Try again in a moment.',
  expired: 'Signing in took too long, or was started in another browser. Try again.',
  failed: 'Signing in through the provider failed. Try again; the log of the service has the reason.',
} as const

const failure = takeReason()

function takeReason(): string | undefined {
  const params = new URLSearchParams(location.search)
  const reason = params.get('sign-in')
  if (reason === null) return undefined
  params.delete('sign-in')
  const rest = params.toString()
  history.replaceState(history.state, '', location.pathname + (rest === '' ? '' : `?${rest}`))
  return ownEntry(reasons, reason) ?? reasons.failed
}

export interface SignInPageProps {
  /** The name of the OpenID provider; null if there is none. */
  readonly provider: string | null
  /** Called with a new session. */
  onSignedIn(): void
}

/** Asks for an email address and a password, or redirects to the provider. */
export function SignInPage({ provider, onSignedIn }: SignInPageProps): ReactNode {
  return (
    <EntryCard title="Sign in">
      {failure !== undefined && <Notice tone="bad" title={failure} />}
      {provider !== null && (
        <>
          <Button
            className={style['wide']}
            variant="primary"
            onClick={() => {
              location.href = providerAddress()
            }}
          >
            Continue with {provider}
          </Button>
          <p className={style['or']}>or</p>
        </>
      )}
      <PasswordForm isMain={provider === null} onSignedIn={onSignedIn} />
    </EntryCard>
  )
}

function PasswordForm({ isMain, onSignedIn }: { readonly isMain: boolean; onSignedIn(): void }): ReactNode {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const send = useMutation<void, ApiFailure>({ mutationFn: () => signIn(email, password), onSuccess: onSignedIn })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    send.mutate()
  }
  return (
    <form onSubmit={submit}>
      <TextField label="Email" type="email" autoComplete="username" required value={email} onChange={setEmail} />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
      />
      {send.error && <Notice tone="bad" title={send.error.message} />}
      <Button
        variant={isMain ? 'primary' : 'plain'}
        type="submit"
        busy={send.isPending}
        disabled={email === '' || password === ''}
      >
        Sign in
      </Button>
      <p>If you have no account or forgot your password, ask an admin for a link.</p>
    </form>
  )
}

/** Shown to users whose account has no role yet. */
export function NoRole({ account, onSignOut }: { readonly account: Account; onSignOut(): void }): ReactNode {
  return (
    <EntryCard title="No environment yet">
      <p>
        You are signed in as {account.email}, but have no role in any environment. Ask an admin for one, then reload
        this page.
      </p>
      <Button onClick={onSignOut}>Sign out</Button>
    </EntryCard>
  )
}
