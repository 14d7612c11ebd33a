import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { Router } from 'wouter'
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
import { KeyPage } from './key-page.tsx'
import { oneTimeToken } from './one-time-token.ts'
import { useEnvironmentPath } from './use-environment-path.ts'

// Not part of the initial bundle, because only people without a session need them. The page for the secret key is,
// because it also says that the service does not respond.
const ForeignEnvironment = lazy(async () => ({
  default: (await import('./foreign-environment.tsx')).ForeignEnvironment,
}))
const NoRole = lazy(async () => ({ default: (await import('./sign-in-page.tsx')).NoRole }))
const SignInPage = lazy(async () => ({ default: (await import('./sign-in-page.tsx')).SignInPage }))
const WelcomePage = lazy(async () => ({ default: (await import('./welcome-page.tsx')).WelcomePage }))

const queryKey = ['session']

/** Opens the session with the service's link, an entered key or an account, and shows its children. */
export function SessionGate({ children }: { readonly children: ReactNode }): ReactNode {
  const client = useQueryClient()
  const [token, setToken] = useState(oneTimeToken)
  if (token === undefined)
    return (
      <Suspense>
        <OpenGate>{children}</OpenGate>
      </Suspense>
    )
  const onDone = (): void => {
    setToken(undefined)
    void client.invalidateQueries({ queryKey })
  }
  return (
    <Suspense>
      <WelcomePage token={token} onDone={onDone} />
    </Suspense>
  )
}

function OpenGate({ children }: { readonly children: ReactNode }): ReactNode {
  const client = useQueryClient()
  const { data, isPending, isError, refetch } = useQuery({
    queryKey,
    queryFn: openSession,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const opened = typeof data === 'object' && 'openedBy' in data ? data : undefined
  const place = useEnvironmentPath(opened?.environments ?? [])
  const { environment } = place
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
  const onLeave = (): void => void leave()
  if (isPending) return null
  if (!opened) return <Entry data={data} isError={isError} onRetry={() => void refetch()} />
  if (opened.account && opened.environments.length === 0) return <NoRole account={opened.account} onSignOut={onLeave} />
  if (!environment || !api) return <ForeignEnvironment place={place} opened={opened} onLeave={onLeave} />

  if (!place.isCanonical) return null

  const session: Session = {
    environment,
    environments: opened.environments,
    bridgeUrl: opened.bridgeUrl ?? undefined,
    api,
    choose: place.choose,
    refresh: () => client.invalidateQueries({ queryKey }),
    replaceKey,
    account: opened.account,
    signOut: onLeave,
    leave: opened.openedBy === 'key' ? onLeave : undefined,
  }
  return (
    <SessionContext value={session}>
      <RoleContext value={environment.role}>
        <Router base={place.base}>{children}</Router>
      </RoleContext>
    </SessionContext>
  )
}

interface EntryProps {
  readonly data: OpenSession | Closed | undefined
  readonly isError: boolean
  onRetry(): void
}

/** Without a session, it asks the user to sign in or enter a key. */
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

/**
 * The service ends the session along with its key, before the new key is available. Session expiry is ignored until the
 * replacement completes.
 */
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
