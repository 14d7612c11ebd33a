import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { readEventStream, type StreamEvent } from '../api/event-stream.ts'
import { useInvalidate } from './queries.ts'
import { useSession } from './session.tsx'

/** Receives what happens in the environment. */
export type LiveListener = (event: StreamEvent) => void

const LiveContext: React.Context<Set<LiveListener> | undefined> = createContext<Set<LiveListener> | undefined>(
  undefined,
)

const reconnectMs = 2000
const settleMs = 150

/** What is read again when something happens in a run, to the bridge, or in a conversation. */
const touchedByRuns = ['/v1/studio/runs', '/v1/studio/outbox', '/v1/messages', '/v2/subscribers']
const touchedByBridge = ['/v1/studio/bridge', '/v1/studio/agents']
const touchedByConversations = ['/v1/studio/conversations', '/v1/studio/agents']

function touchedBy(event: string): readonly string[] {
  if (event.startsWith('bridge')) return touchedByBridge
  return event.startsWith('conversation') ? touchedByConversations : touchedByRuns
}

/** Follows the environment's events for all below it, and reads again what they touch. */
export function LiveEvents({ children }: { readonly children: ReactNode }): ReactNode {
  const { api } = useSession()
  const [listeners] = useState(() => new Set<LiveListener>())
  const invalidate = useInvalidate()

  useEffect(() => {
    const end = new AbortController()
    const touched = new Set<string>()
    let timer = 0
    const receive = (event: StreamEvent): void => {
      for (const listener of listeners) listener(event)
      for (const path of touchedBy(event.event)) touched.add(path)
      timer ||= window.setTimeout(() => {
        timer = 0
        void invalidate([...touched])
        touched.clear()
      }, settleMs)
    }
    const follow = async (): Promise<void> => {
      for (let opened = 0; !end.signal.aborted; ) {
        try {
          const stream = await api.open('/v1/studio/events', end.signal)
          // What happened while the connection was lost was told to nobody.
          if (opened++ > 0) void invalidate([...touchedByRuns, ...touchedByBridge, ...touchedByConversations])
          for await (const event of readEventStream(stream)) receive(event)
        } catch {
          // A lost connection is opened again below.
        }
        await new Promise((resolve) => setTimeout(resolve, reconnectMs))
      }
    }
    void follow()
    return () => {
      end.abort()
      window.clearTimeout(timer)
    }
  }, [api, invalidate, listeners])

  return <LiveContext value={listeners}>{children}</LiveContext>
}

/**
 * Calls a function for whatever happens in the environment.
 *
 * @param listener - What is called.
 */
export function useLive(listener: LiveListener): void {
  const listeners = use(LiveContext)
  useEffect(() => {
    listeners?.add(listener)
    return () => void listeners?.delete(listener)
  })
}
