import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { createApi } from '../api/api.ts'
import { KeyPage, keyEntry } from './key-page.tsx'
import { type Environment, fetchSession, type Session, SessionContext } from './session.tsx'
import { readStored, store } from './storage.ts'

/** Opens the session, by what the service hands out or by a key that is typed in, and shows what is below it. */
export function SessionGate({ children }: { readonly children: ReactNode }): ReactNode {
  const client = useQueryClient()
  const offered = useQuery({ queryKey: ['session'], queryFn: fetchSession, staleTime: Number.POSITIVE_INFINITY })
  const [typed, setTyped] = useState<Environment | undefined>(undefined)
  const [chosen, setChosen] = useState(() => readStored('trestle.environment'))

  const environments = offered.data?.environments ?? (typed ? [typed] : [])
  const environment = environments.find(({ name }) => name === chosen) ?? environments[0]
  const bridgeUrl = offered.data?.bridgeUrl ?? undefined
  const secretKey = environment?.secretKey
  const api = useMemo(() => (secretKey === undefined ? undefined : createApi(secretKey)), [secretKey])

  if (offered.isPending) return null
  if (!environment || !api)
    return <KeyPage unreachable={offered.isError} onOpen={setTyped} onRetry={() => void offered.refetch()} />

  const leave = (): void => {
    sessionStorage.removeItem(keyEntry)
    setTyped(undefined)
    client.removeQueries({ predicate: ({ queryKey: [first] }) => first !== 'session' })
  }
  const session: Session = {
    environment,
    environments,
    bridgeUrl,
    api,
    choose: (name) => {
      store('trestle.environment', name)
      setChosen(name)
    },
    leave: typed && leave,
  }
  return <SessionContext value={session}>{children}</SessionContext>
}
