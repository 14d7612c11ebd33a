import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { createApi } from '../../api/api.ts'
import { RoleContext } from '../../base/access.tsx'
import {
  type Closed,
  closeSession,
  type OpenSession,
  openSession,
  openWith,
  type Session,
  SessionContext,
} from '../session.tsx'
import { readStored, store } from '../storage.ts'
import { KeyPage } from './key-page.tsx'
import { NoRole, SignInPage } from './sign-in-page.tsx'
import { oneTimeToken, WelcomePage } from './welcome-page.tsx'

const queryKey = ['session']

/** Opens the session, by the service's link, an entered key or an account, and shows its children. */
export function SessionGate({ children }: { readonly children: ReactNode }): ReactNode {
  const client = useQueryClient()
  const [token, setToken] = useState(oneTimeToken)
  if (token === undefined) return <OpenGate>{children}</OpenGate>
  const onDone = (): void => {
    setToken(undefined)
    void client.invalidateQueries({ queryKey })
  }
  return <WelcomePage token={token} onDone={onDone} />
}

function OpenGate({ children }: { readonly children: ReactNode }): ReactNode {
  const client = useQueryClient()
  const { data, isPending, isError, refetch } = useQuery({
    queryKey,
    queryFn: openSession,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [chosen, setChosen] = useState(() => readStored('trestle.environment'))

  const opened = typeof data === 'object' && 'openedBy' in data ? data : undefined
  const environment = opened?.environments.find(({ name }) => name === chosen) ?? opened?.environments[0]
  const { isReplacing, replaceKey } = useKeyReplacement(opened)
  const [proof, environmentId] = [opened?.session, environment?.id]
  const api = useMemo(() => {
    if (proof === undefined || environmentId === undefined) return undefined
    return createApi({
      session: proof,
      environmentId,
      onEnded: () => void (isReplacing() || client.invalidateQueries({ queryKey })),
    })
  }, [client, proof, environmentId, isReplacing])

  const leave = async (): Promise<void> => {
    if (opened) await closeSession(opened)
    client.removeQueries({ predicate: ({ queryKey: [first] }) => first !== queryKey[0] })
    if (opened?.account) await refetch()
    else client.setQueryData(queryKey, 'no-session')
  }
  if (isPending) return null
  if (opened?.account && !environment) return <NoRole account={opened.account} onSignOut={() => void leave()} />
  if (!opened || !environment || !api) return <Entry data={data} isError={isError} onRetry={() => void refetch()} />

  const session: Session = {
    environment,
    environments: opened.environments,
    bridgeUrl: opened.bridgeUrl ?? undefined,
    api,
    choose: (name) => {
      store('trestle.environment', name)
      setChosen(name)
    },
    replaceKey,
    account: opened.account,
    signOut: () => void leave(),
    leave: opened.openedBy === 'key' ? () => void leave() : undefined,
  }
  return (
    <SessionContext value={session}>
      <RoleContext value={environment.role}>{children}</RoleContext>
    </SessionContext>
  )
}

interface EntryProps {
  readonly data: OpenSession | Closed | undefined
  readonly isError: boolean
  onRetry(): void
}

/** Without a session, people sign in or enter a key. */
function Entry({ data, isError, onRetry }: EntryProps): ReactNode {
  const client = useQueryClient()
  if (typeof data === 'object' && 'provider' in data)
    return <SignInPage provider={data.provider} onSignedIn={onRetry} />
  return (
    <KeyPage
      unreachable={isError}
      isLinkUsed={data === 'used-link'}
      onOpen={(session) => client.setQueryData(queryKey, session)}
      onRetry={onRetry}
    />
  )
}

/** The service ends a session with its key, before the new key is known. Until then the end is ignored. */
function useKeyReplacement(opened: OpenSession | undefined) {
  const client = useQueryClient()
  const replacing = useRef(false)
  const isReplacing = useCallback(() => replacing.current, [])
  const replaceKey: Session['replaceKey'] = async (replace) => {
    replacing.current = true
    try {
      const secretKey = await replace()
      if (opened?.openedBy === 'key') client.setQueryData(queryKey, await openWith({ secretKey }))
      return secretKey
    } finally {
      replacing.current = false
    }
  }
  return { isReplacing, replaceKey }
}
