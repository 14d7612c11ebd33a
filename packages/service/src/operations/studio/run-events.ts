import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import { type Hide, loadHide } from '../../context/hide-secrets.ts'
import { type AnyOperation, operation, type Reply, reply } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { RunFilter, RunTransition } from '../../engine/control/run-feed.ts'
import { idPattern } from '../../store/create-id.ts'
import { toBridgeStatus } from './bridge-state.ts'
import { eventStreamHeaders, mergeEvents, type ServerSentEvent, toEventStream } from './event-stream.ts'

/** Streams of an environment that are open at a time; each asks the database twice a second. */
const maxStreams = 100
const streams = new Map<string, number>()
/** For so long a stream masks the secrets that it knows: to read them for each event would cost more than the event. */
const secretsForMs = 1000

/** What is no id would be waited for in vain. */
const after = z.string().regex(idPattern, 'must be the id of an event of such a stream').optional()
const common = { category: 'global', wrapped: false } as const

/** The streams of what happens in runs, as server-sent events. */
export const runEventOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.events',
    method: 'GET',
    path: '/v1/studio/events',
    summary:
      'Streams the transitions of all runs from now on, or after a known one, and changes of the bridge and of conversations',
    query: z.strictObject({ after }),
    handler: async (context, { query }) => toStream(context, { after: query.after }),
  }),
  operation({
    ...common,
    name: 'studio.runEvents',
    method: 'GET',
    path: '/v1/studio/runs/{runId}/events',
    summary: 'Streams the transitions of one run from its beginning, or after a known one',
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
  if (countStreams(context.environment.id) >= maxStreams)
    throw new ApiError(503, `${maxStreams} streams of this environment are open already. Please wait and retry.`, {
      headers: { 'retry-after': '5' },
    })
  return reply(200, toEventStream(watch(context, options)), eventStreamHeaders)
}

const countStreams = (environmentId: string): number => streams.get(environmentId) ?? 0

async function* watch(context: CallContext, options: StreamOptions): AsyncGenerator<ServerSentEvent, void, undefined> {
  const { after, runId, untilEnd = false } = options
  const filter = {
    environmentId: context.environment.id,
    ...(runId === undefined ? {} : { runId }),
    ...(after === undefined ? {} : { afterId: after }),
    untilEnd,
  }
  const { id } = context.environment
  // Many may have been admitted before the first of them began.
  if (countStreams(id) >= maxStreams) return
  streams.set(id, countStreams(id) + 1)
  try {
    const transitions = watchRuns(context, filter)
    yield* runId === undefined
      ? mergeEvents(transitions, watchBridge(context), watchConversations(context))
      : transitions
  } finally {
    const left = countStreams(id) - 1
    if (left > 0) streams.set(id, left)
    else streams.delete(id)
  }
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

/** The ids lead on from here, and hold nothing that an app has written. */
function toEvent({ id, atMs, ...rest }: RunTransition, hide: Hide): ServerSentEvent {
  const { detail, raw } = hide({ detail: rest.detail, raw: rest.raw })
  return { id, event: 'transition', data: { id, at: new Date(atMs).toISOString(), ...rest, detail, raw } }
}
