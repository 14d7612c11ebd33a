import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import { createStreamCounts } from '../../api/stream-counts.ts'
import { type Hide, loadHide } from '../../context/hide-secrets.ts'
import { type AnyOperation, operation, type Reply, reply } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { RunFilter, RunTransition } from '../../engine/control/run-feed.ts'
import { idPattern } from '../../store/create-id.ts'
import { toBridgeStatus } from './bridge-state.ts'
import { eventStreamHeaders, mergeEvents, type ServerSentEvent, toEventStream } from './event-stream.ts'

/** Open streams per environment; each queries the database twice a second. */
const maxStreams = 100
const streams = createStreamCounts()
/** How long a stream caches secrets, in milliseconds. Reading them for each event would cost more than the event. */
const secretsForMs = 1000

/** The stream would wait forever after an invalid id. */
const after = z.string().regex(idPattern, 'must be the id of an event of such a stream').optional()
const common = { category: 'global', wrapped: false } as const

/** Streams of run transitions, as server-sent events. */
export const runEventOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.events',
    access: 'view',
    method: 'GET',
    path: '/v1/studio/events',
    summary:
      'Streams the transitions of all runs from now on, or after a given one, and changes to the bridge and conversations',
    query: z.strictObject({ after }),
    handler: async (context, { query }) => toStream(context, { after: query.after }),
  }),
  operation({
    ...common,
    name: 'studio.runEvents',
    access: 'view',
    method: 'GET',
    path: '/v1/studio/runs/{runId}/events',
    summary: 'Streams the transitions of one run from its start, or after a given one',
    query: z.strictObject({ after, until: z.literal('end', 'must be end').optional() }),
    async handler(context, { params, query }) {
      const { runId = '' } = params
      const { environment, store } = context
      const run = await store.db
        .selectFrom('runs')
        .select('id')
        .where('id', '=', runId)
        .where('environmentId', '=', environment.id)
        .executeTakeFirst()
      if (!run) throw notFound('Run', runId)
      return toStream(context, { after: query.after, runId, untilEnd: query.until === 'end' })
    },
  }),
])

interface StreamOptions {
  readonly after: string | undefined
  readonly runId?: string
  readonly untilEnd?: boolean
}

function toStream(context: CallContext, options: StreamOptions): Reply {
  const { environment, signal } = context
  if (streams.read(environment.id) >= maxStreams)
    throw new ApiError(503, `The environment already has ${maxStreams} open streams. Wait and retry.`, {
      headers: { 'retry-after': '5' },
    })
  streams.add(environment.id, signal)
  return reply(200, toEventStream(watch(context, options)), eventStreamHeaders)
}

function watch(context: CallContext, options: StreamOptions): AsyncGenerator<ServerSentEvent, void, undefined> {
  const { after, runId, untilEnd = false } = options
  const filter = {
    environmentId: context.environment.id,
    ...(runId === undefined ? {} : { runId }),
    ...(after === undefined ? {} : { afterId: after }),
    untilEnd,
  }
  const transitions = watchRuns(context, filter)
  if (runId !== undefined) return transitions
  return mergeEvents(transitions, watchBridge(context), watchConversations(context))
}

async function* watchRuns(context: CallContext, filter: RunFilter): AsyncGenerator<ServerSentEvent, void, undefined> {
  let hide = await loadHide(context)
  let loadedMs = context.clock.now()
  for await (const transition of context.engine.watch(filter, context.signal)) {
    if (context.clock.now() - loadedMs >= secretsForMs) {
      hide = await loadHide(context)
      loadedMs = context.clock.now()
    }
    yield toEvent(transition, hide)
  }
}

async function* watchBridge({
  syncFeed,
  environment,
  signal,
}: CallContext): AsyncGenerator<ServerSentEvent, void, undefined> {
  for await (const status of syncFeed.watch(environment.id, signal)) {
    const { url, atMs } = status
    yield {
      event: 'bridge.changed',
      data: { url, status: toBridgeStatus(status, url), at: new Date(atMs).toISOString() },
    }
  }
}

async function* watchConversations({
  conversationFeed,
  environment,
  signal,
}: CallContext): AsyncGenerator<ServerSentEvent, void, undefined> {
  for await (const change of conversationFeed.watch(environment.id, signal))
    yield { event: 'conversation.changed', data: change }
}

/** Ids allow resuming, and contain no app data. */
function toEvent({ id, atMs, ...rest }: RunTransition, hide: Hide): ServerSentEvent {
  const { detail, raw } = hide({ detail: rest.detail, raw: rest.raw })
  return { id, event: 'transition', data: { id, at: new Date(atMs).toISOString(), ...rest, detail, raw } }
}
