import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { ApiFailure } from '../../api/api-failure.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type LinkFacts, readLink, redeemLink } from './account-calls.ts'
import { EntryCard } from './entry-card.tsx'

const titles: Readonly<Record<LinkFacts['purpose'], string>> = {
  'first-admin': 'Create the first admin',
  invite: 'Welcome to Trestle',
  reset: 'Set a new password',
}

export interface WelcomePageProps {
  /** The token of the link. */
  readonly token: string
  /** Called when the link was used or the user leaves the page. */
  onDone(): void
}

/** Redeems a one-time link: creates the first admin, accepts an invitation or sets a new password. */
export function WelcomePage({ token, onDone }: WelcomePageProps): ReactNode {
  const { data, error } = useQuery<LinkFacts, ApiFailure>({
    queryKey: ['link', token],
    queryFn: () => readLink(token),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error)
    return (
      <EntryCard title="This link cannot be used">
        <Notice tone="bad" title={error.message} />
        <Button onClick={onDone}>Go to the studio</Button>
      </EntryCard>
    )
  if (!data) return null
  return (
    <EntryCard title={titles[data.purpose]}>
      <AccountForm token={token} facts={data} onDone={onDone} />
    </EntryCard>
  )
}

function AccountForm({ token, facts, onDone }: WelcomePageProps & { readonly facts: LinkFacts }): ReactNode {
  const isReset = facts.purpose === 'reset'
  const [email, setEmail] = useState(facts.email ?? '')
  const [name, setName] = useState(facts.name)
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const send = useMutation<void, ApiFailure>({
    mutationFn: () =>
      redeemLink({ token, password, ...(isReset ? {} : { name }), ...(facts.email === null ? { email } : {}) }),
    onSuccess: onDone,
  })
  const { fields: wrong = {} } = send.error?.details ?? {}
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    send.mutate()
  }
  const problem = wrong['password']?.join(' ')
  return (
    <form onSubmit={submit}>
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        required
        readOnly={facts.email !== null}
        value={email}
        error={wrong['email']?.join(' ')}
        onChange={setEmail}
      />
      {!isReset && <TextField label="Name" autoComplete="name" value={name} onChange={setName} />}
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        minLength={12}
        hint="At least 12 characters"
        error={problem && `It ${problem}`}
        value={password}
        onChange={setPassword}
      />
      <TextField
        label="Password again"
        type="password"
        autoComplete="new-password"
        required
        error={again !== '' && again !== password ? 'The passwords do not match' : undefined}
        value={again}
        onChange={setAgain}
      />
      {send.error && Object.keys(wrong).length === 0 && <Notice tone="bad" title={send.error.message} />}
      <Button variant="primary" type="submit" busy={send.isPending} disabled={password === '' || again !== password}>
        {isReset ? 'Set the password' : 'Create the account'}
      </Button>
      {isReset && <p>All other sessions of your account end.</p>}
    </form>
  )
}
