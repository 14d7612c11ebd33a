import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { AccountSession } from '../../api/generated/resources.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { useRead, useSend } from '../../session/queries.ts'
import { useSession } from '../../session/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import style from './account.module.css'

const path = '/v1/studio/account'

/** The user's account: sessions and password. */
export function AccountPage(): ReactNode {
  const { account } = useSession()
  if (!account)
    return (
      <Page title="Your account">
        <Panel>This service has no accounts: a link or a secret key opens the studio.</Panel>
      </Page>
    )
  return (
    <Page title="Your account" lead={account.email}>
      <Sessions />
      <Panel title="Password">
        <PasswordForm />
      </Panel>
    </Page>
  )
}

function Sessions(): ReactNode {
  const read = useRead<readonly AccountSession[]>(`${path}/sessions`)
  const end = useSend([`${path}/sessions`])
  const onEnd = (id: string): void => end.mutate({ method: 'DELETE', path: `${path}/sessions/${id}` })
  const others = read.data?.filter(({ isCurrent }) => !isCurrent) ?? []
  return (
    <Panel
      flush
      title="Sessions"
      actions={
        others.length > 0 && (
          <Button small busy={end.isPending} onClick={() => end.mutate({ method: 'DELETE', path: `${path}/sessions` })}>
            End all others
          </Button>
        )
      }
    >
      {read.error && <Failure title="Couldn't load the sessions" error={read.error} />}
      {end.error && <Failure title="Couldn't end the session" error={end.error} />}
      {read.data && <Table label="Sessions" columns={columnsOf(onEnd)} rows={read.data} keyOf={({ id }) => id} />}
    </Panel>
  )
}

function columnsOf(end: (id: string) => void): readonly Column<AccountSession>[] {
  return [
    {
      key: 'browser',
      title: 'Browser',
      show: ({ userAgent, isCurrent }) => (
        <span className={style['browser']} data-tip={userAgent ?? undefined}>
          {toBrowser(userAgent)} {isCurrent && <Badge tone="accent">This one</Badge>}
        </span>
      ),
    },
    { key: 'address', title: 'Address', wideOnly: true, show: ({ address }) => <code>{address}</code> },
    { key: 'used', title: 'Last used', show: ({ usedAt }) => <TimeText at={usedAt} /> },
    { key: 'ends', title: 'Ends', wideOnly: true, show: ({ expiresAt }) => <TimeText at={expiresAt} /> },
    {
      key: 'tools',
      title: 'Actions',
      end: true,
      show: ({ id, isCurrent, userAgent }) =>
        !isCurrent && (
          <Button small aria-label={`End the session in ${toBrowser(userAgent)}`} onClick={() => end(id)}>
            End
          </Button>
        ),
    },
  ]
}

const browsers = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'] as const
const names: Readonly<Record<(typeof browsers)[number], string>> = {
  ...{ Firefox: 'Firefox', Edg: 'Edge', OPR: 'Opera', Chrome: 'Chrome', Safari: 'Safari' },
}
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'] as const

function toBrowser(userAgent: string | null): string {
  const browser = browsers.find((name) => userAgent?.includes(name))
  const system = systems.find((name) => userAgent?.includes(name))
  if (!browser) return userAgent?.slice(0, 40) ?? 'Unknown'
  return `${ownEntry(names, browser) ?? browser}${system ? ` on ${system}` : ''}`
}

function PasswordForm(): ReactNode {
  const client = useQueryClient()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const send = useSend()
  const { fields: wrong = {} } = send.error?.details ?? {}
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    send.mutate(
      { method: 'POST', path: `${path}/password`, body: { current, password } },
      { onSuccess: () => void client.invalidateQueries({ queryKey: ['session'] }) },
    )
  }
  const problem = (name: string): string | undefined => wrong[name] && `It ${wrong[name].join(' ')}`
  return (
    <form className={style['form']} onSubmit={submit}>
      {send.error && Object.keys(wrong).length === 0 && (
        <Failure title="Couldn't change the password" error={send.error} />
      )}
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        value={current}
        error={problem('current')}
        onChange={setCurrent}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        minLength={12}
        hint="At least 12 characters. All your sessions end, including this one."
        value={password}
        error={problem('password')}
        onChange={setPassword}
      />
      <Button type="submit" busy={send.isPending} disabled={current === '' || password === ''}>
        Change the password
      </Button>
    </form>
  )
}
