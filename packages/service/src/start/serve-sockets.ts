import { createServer, type IncomingMessage } from 'node:http'
import type { JsonObject } from '@trestle/protocol'
import type { Socket, Server as SocketServer } from 'socket.io'
import { admit } from '../access/admit.ts'
import { identifySubscriber } from '../access/identify-subscriber.ts'
import { readPageOrigin } from '../access/page-origin.ts'
import { ApiError } from '../api/api-error.ts'
import type { HttpCall } from '../api/http-call.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { errorReply } from '../http/error-reply.ts'
import type { SubscriberSession } from '../inbox/subscriber-session.ts'
import { toFeedItem, toMessageSubscriber } from '../messages/to-message.ts'
import { watchInbox } from '../operations/browser-inbox/watch-inbox.ts'
import { showInboxItems } from '../operations/inbox/inbox-items.ts'
import type { MessageRow } from '../store/schema/message.ts'
import { listen } from './listen.ts'

/** Clients send nothing except their connection. */
const maxPacketBytes = 1000
/** A client that does not read is disconnected at this number of waiting packets. */
const maxWaiting = 500
const connectTimeoutMs = 10_000

/** The socket server. */
export interface Sockets {
  readonly port: number
  /** Stops it and closes all its connections. */
  stop(): Promise<void>
}

/**
 * Serves inbox events to public clients through Socket.IO, on a separate port. Only WebSockets are accepted, with a
 * session token in the query.
 */
export async function serveSockets(context: ServiceContext, port: number): Promise<Sockets> {
  const { Server } = await import('socket.io')
  const { clock, settings, logger } = context
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(0, 500)
    const { status, headers, body } = errorReply(404, 'This port only serves sockets.', { path, nowMs: clock.now() })
    response.writeHead(status, headers).end(body)
  })
  const sessions = new WeakMap<IncomingMessage, SubscriberSession>()
  let listensAt = port
  const io: SocketServer = new Server(server, {
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    maxHttpBufferSize: maxPacketBytes,
    connectTimeout: connectTimeoutMs,
    allowRequest(request, answer) {
      identify(context, request, listensAt).then(
        (session) => {
          sessions.set(request, session)
          answer(null, true)
        },
        (error: unknown) => {
          if (!(error instanceof ApiError)) logger.error({ err: error }, 'a socket was not opened')
          answer(error instanceof ApiError ? error.message : 'The socket could not be opened.', false)
        },
      )
    },
  })
  io.on('connection', (socket) => {
    const session = sessions.get(socket.request)
    if (session) pump(context, session, socket).catch((err: unknown) => logger.error({ err }, 'a socket failed'))
    else socket.disconnect(true)
  })
  const option = '`socketPort` (SERVICE_SOCKET_PORT)'
  listensAt = (await listen(server, { port, host: settings.host, option })).port
  return {
    port: listensAt,
    async stop() {
      await io.close()
      server.closeAllConnections()
    },
  }
}

/** A socket is opened like a stream: by a page of an allowed origin, with a token. */
async function identify(context: ServiceContext, request: IncomingMessage, port: number): Promise<SubscriberSession> {
  const { store, vault, clock, settings } = context
  const call = toCall(request)
  admit(call, { host: settings.host, port, allowedHosts: settings.allowedHosts, isPage: () => false })
  const origin = await readPageOrigin(store.db, call)
  const token = new URLSearchParams((request.url ?? '').split('?')[1]).get('token') ?? ''
  const session = await identifySubscriber(token, { db: store.db, vault, nowMs: clock.now() })
  origin?.check(session.environment.id)
  context.inboxStreams.admit(session)
  return session
}

function toCall(request: IncomingMessage): HttpCall {
  return {
    method: 'GET',
    // The token in the URL may have any length; origins are checked as for the inbox.
    url: '/v1/inbox/events',
    header(name) {
      const value = request.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    remoteAddress: request.socket.remoteAddress ?? '',
    readBody: async () => new Uint8Array(),
    signal: new AbortController().signal,
  }
}

async function pump(context: ServiceContext, session: SubscriberSession, socket: Socket): Promise<void> {
  const gone = new AbortController()
  socket.on('disconnect', () => gone.abort())
  if (socket.disconnected) return
  const show = (rows: readonly MessageRow[]) => showMessages(context, session, rows)
  try {
    const stream = context.inboxStreams.open(session, gone.signal)
    for await (const { event, data } of watchInbox(context, { session, stream, show })) {
      const { writeBuffer } = socket.conn as unknown as { readonly writeBuffer: readonly unknown[] }
      if (writeBuffer.length > maxWaiting) break
      socket.emit(event, data)
    }
  } finally {
    socket.disconnect(true)
  }
}

/** Public clients expect messages in the v1 format, with their workflow. */
async function showMessages(
  { store, organizationId }: ServiceContext,
  { subscriber }: SubscriberSession,
  rows: readonly MessageRow[],
): Promise<readonly JsonObject[]> {
  const items = await showInboxItems(store.db, subscriber, rows)
  return rows.map((row, index) => ({
    ...toFeedItem(row, { organizationId, subscriber: toMessageSubscriber(subscriber) }),
    workflow: items[index]?.['workflow'],
  }))
}
