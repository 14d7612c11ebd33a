import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { createApi } from '../api/api.ts'
import { KeyPage } from './key-page.tsx'
import { closeSession, type OpenSession, openSession, openWith, type Session, SessionContext } from './session.tsx'
import { readStored, store } from './storage.ts'

const queryKey = ['session']

/** Opens the session, by the service's link or an entered key, and shows its children. */
export function SessionGate({ children }: { readonly children: ReactNode }): ReactNode {
  const client = useQueryClient()
  const { data, isPending, isError, refetch } = useQuery({
    queryKey,
    queryFn: openSession,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [chosen, setChosen] = useState(() => readStored('trestle.environment'))

  const opened = typeof data === 'object' ? data : undefined
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

  if (isPending) return null
  if (!opened || !environment || !api)
    return (
      <KeyPage
        unreachable={isError}
        isLinkUsed={data === 'used-link'}
        onOpen={(session) => client.setQueryData(queryKey, session)}
        onRetry={() => void refetch()}
      />
    )

  const leave = async (): Promise<void> => {
    await closeSession(opened)
    client.setQueryData(queryKey, 'no-session')
    client.removeQueries({ predicate: ({ queryKey: [first] }) => first !== queryKey[0] })
  }
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
    leave: opened.openedBy === 'key' ? () => void leave() : undefined,
  }
  return <SessionContext value={session}>{children}</SessionContext>
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
