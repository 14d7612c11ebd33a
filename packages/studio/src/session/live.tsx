import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import type { StreamEvent } from '../api/event-stream.ts'
import { followTogether } from './follow-together.ts'
import { useInvalidate } from './queries.ts'
import { createRefetcher } from './refetch.ts'
import { useSession } from './session.tsx'

/** Receives the events of the environment. */
export type LiveListener = (event: StreamEvent) => void

const LiveContext: React.Context<Set<LiveListener> | undefined> = createContext<Set<LiveListener> | undefined>(
  undefined,
)

/** The data to refetch after events of a run, the bridge, or a conversation. */
const touchedByRuns = [
  '/v1/studio/runs',
  '/v1/studio/run-counts',
  '/v1/studio/outbox',
  '/v1/messages',
  '/v2/subscribers',
]
const touchedByBridge = ['/v1/studio/bridge', '/v1/studio/agents']
const touchedByConversations = ['/v1/studio/conversations', '/v1/studio/agents']

function touchedBy(event: string): readonly string[] {
  if (event.startsWith('bridge')) return touchedByBridge
  return event.startsWith('conversation') ? touchedByConversations : touchedByRuns
}

/** Follows the environment's events for its children, and refetches the affected data. */
export function LiveEvents({ children }: { readonly children: ReactNode }): ReactNode {
  const { api, environment } = useSession()
  const [listeners] = useState(() => new Set<LiveListener>())
  const invalidate = useInvalidate()

  useEffect(() => {
    const end = new AbortController()
    const again = createRefetcher(invalidate)
    void followTogether({
      name: `trestle.events.${environment.id}`,
      open: (signal) => api.open('/v1/studio/events', signal),
      receive: (event) => {
        for (const listener of listeners) listener(event)
        again.touch(touchedBy(event.event))
      },
      miss: () => again.touch([...touchedByRuns, ...touchedByBridge, ...touchedByConversations]),
      signal: end.signal,
    })
    return () => {
      end.abort()
      again.end()
    }
  }, [api, environment.id, invalidate, listeners])

  return <LiveContext value={listeners}>{children}</LiveContext>
}

/**
 * Calls a function for each event of the environment.
 *
 * @param listener - The function.
 */
export function useLive(listener: LiveListener): void {
  const listeners = use(LiveContext)
  useEffect(() => {
    listeners?.add(listener)
    return () => void listeners?.delete(listener)
  })
}
