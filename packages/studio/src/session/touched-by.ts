import type { StreamEvent } from '../api/event-stream.ts'

/** Paths to refetch after run events; for the runs themselves, only the lists. */
const byRuns = ['=/v1/studio/runs', '/v1/studio/run-counts', '/v1/studio/outbox', '/v1/messages', '/v2/subscribers']
const byBridge = ['/v1/studio/bridge', '/v1/studio/agents']
const byConversations = ['/v1/studio/conversations', '/v1/studio/agents']

/** All paths that events can affect. */
export const touchedByAny: readonly string[] = [...byRuns, ...byBridge, ...byConversations, '/v1/studio/runs']

/** Returns the paths to refetch after an event. Paths that start with `=` do not include the paths below them. */
export function touchedBy({ event, data }: Pick<StreamEvent, 'event' | 'data'>): readonly string[] {
  if (event.startsWith('bridge')) return byBridge
  if (event.startsWith('conversation')) return byConversations
  const { runId } = (data ?? {}) as { readonly runId?: unknown }
  return [...byRuns, typeof runId === 'string' ? `/v1/studio/runs/${runId}` : '/v1/studio/runs']
}

/** Returns whether a path must be refetched. */
export function isTouched(path: string, touched: readonly string[]): boolean {
  return touched.some((one) =>
    one.startsWith('=') ? path === one.slice(1) : path === one || path.startsWith(`${one}/`),
  )
}
