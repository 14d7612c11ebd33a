import type { StreamEvent } from '../api/event-stream.ts'
import { subscriberPaths } from '../api/list-paths.ts'

/** The paths that events of runs can affect. */
const ofRuns = ['/v1/studio/runs', '/v1/studio/run-counts', '/v1/studio/outbox', '/v1/studio/messages']
const runPaths = [...ofRuns, ...subscriberPaths]
const byBridge = ['/v1/studio/bridge', '/v1/studio/agents']
const byConversations = ['/v1/studio/conversations', '/v1/studio/agents']

/** All paths that events can affect. */
export const touchedByAny: readonly string[] = [...runPaths, ...byBridge, ...byConversations]

/** The transition of a run or step. */
interface Transition {
  readonly runId: string
  readonly subscriberId: string
  /** Null for the run itself. */
  readonly jobId: string | null
  readonly status?: string
}

/**
 * Returns the paths to refetch after an event. Paths that start with `=` do not include the paths below them. A query
 * parameter excludes requests with another value of it.
 */
export function touchedBy({ event, data }: Pick<StreamEvent, 'event' | 'data'>): readonly string[] {
  if (event.startsWith('bridge')) return byBridge
  if (event.startsWith('conversation')) return byConversations
  const transition = (data ?? {}) as Partial<Transition>
  return isComplete(transition) ? touchedByRun(transition) : runPaths
}

const isComplete = (data: Partial<Transition>): data is Transition =>
  typeof data.runId === 'string' && typeof data.subscriberId === 'string' && data.jobId !== undefined

/** A run starts by storing its recipient; its steps store messages, and can find a problem of their workflow. */
function touchedByRun({ runId, subscriberId, jobId, status }: Transition): readonly string[] {
  const id = encodeURIComponent(subscriberId)
  const run = ['=/v1/studio/runs', `/v1/studio/runs/${runId}`, '/v1/studio/run-counts', `/v2/subscribers/${id}`]
  if (jobId === null) return [...run, ...subscriberPaths.map((path) => `=${path}`)]
  const messages = ['/v1/studio/outbox', `/v1/studio/messages?subscriberId=${id}`]
  return [...run, ...messages, ...(status === 'Warning' ? ['=/v1/studio/bridge'] : [])]
}

/**
 * Returns whether a request must be repeated.
 *
 * @param request - Its path and query.
 * @param touched - The paths to refetch.
 */
export function isTouched(
  { path, query = {} }: { readonly path: string; readonly query?: unknown },
  touched: readonly string[],
): boolean {
  return touched.some((one) => {
    if (one.startsWith('=')) return path === one.slice(1)
    const [prefix = '', parameters] = one.split('?')
    return (path === prefix || path.startsWith(`${prefix}/`)) && hasParameters(query, parameters)
  })
}

function hasParameters(query: unknown, parameters = ''): boolean {
  const sent = (query ?? {}) as Readonly<Record<string, unknown>>
  return [...new URLSearchParams(parameters)].every(([name, value]) => sent[name] === undefined || sent[name] === value)
}
