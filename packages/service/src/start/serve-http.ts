import { randomUUID } from 'node:crypto'
import { type AdmitOptions, admitHere } from '../access/admit.ts'
import { createCallerAddress } from '../access/caller-address.ts'
import type { Identification } from '../access/identify.ts'
import type { PeopleAccess } from '../access/identify-person.ts'
import { createLocalSessions } from '../access/local-sessions.ts'
import { createSubscriberLimiter } from '../access/subscriber-limit.ts'
import type { HttpCall, HttpReply } from '../api/http-call.ts'
import { isLoopback } from '../config/is-loopback.ts'
import type { Settings } from '../config/settings.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { type HttpService, handleCall } from '../http/handle-call.ts'
import { createNodeServer } from '../http/node-server.ts'
import { createRouter } from '../http/router.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { operations } from '../operations/operations.ts'
import { findStudio } from '../studio/find-studio.ts'
import { createStudioPages, toStudioLink } from '../studio/studio-pages.ts'
import { startRequestSpan } from '../traces/request-span.ts'
import { listen } from './listen.ts'
import { createPages } from './pages.ts'
import { findStudioEnvironments } from './studio-environments.ts'

/** A listening server. */
export interface Listening {
  readonly url: string
  /** Returns a new one-time link to the studio; undefined if it is not served. */
  studioLink(): string | undefined
  /** Stops accepting requests, and waits for requests in progress. Keep-alive connections stay open for `drainMs`. */
  stop(graceMs: number, drainMs?: number): Promise<void>
}

/**
 * Serves the API.
 *
 * @throws The address is in use.
 */
export async function serveHttp(context: ServiceContext, metrics: Metrics): Promise<Listening> {
  const { settings, logger, clock } = context
  let port = settings.port
  const { host } = settings
  const { db } = context.store
  const sessions = createLocalSessions(() => clock.now())
  const isPage = (path: string): boolean => studio?.isPage(path) ?? false
  const admission = (): AdmitOptions => ({ host, port, allowedHosts, isPage })
  const people = toPeople(context)
  const allowedHosts = [...settings.allowedHosts, ...namesOf(settings)]
  const identification: Identification = { db, sessions, admission, people }
  const environmentIds = await findStudioEnvironments(db, settings.studioEnvironments)
  const parts = { ...identification, environmentIds }
  const accountPages = people && { db, vault: context.vault, store: context.store, clock, people, logger }
  const studioParts = { ...parts, accountPages }
  const studio = settings.studio ? await createStudioPages(studioParts, await findStudio(settings.studio)) : undefined
  const pages = createPages(context, { ...parts, metrics, url: () => `http://${toHost(host)}:${port}` })
  const service: HttpService = {
    context,
    router: createRouter(operations),
    identification,
    limiter: createSubscriberLimiter(() => clock.now()),
    audited: people && { audit: people.accounts.audit, addressOf: people.addressOf },
    findPage(method, path) {
      const answer = studio?.find(method, path)
      // With accounts, each page checks access itself; static files contain no data.
      return (
        pages(method, path) ??
        (answer && { answer, admit: (call) => (people ? undefined : admitHere(call, admission())) })
      )
    },
  }
  async function answer(call: HttpCall): Promise<HttpReply> {
    const startedMs = performance.now()
    const requestId = randomUUID()
    const span = startRequestSpan(call)
    const answered = await span.run(() => handleCall(service, call, requestId))
    const { reply } = answered
    const operation = answered.operation?.name ?? 'none'
    span.end(answered)
    const durationMs = performance.now() - startedMs
    metrics.observe({ operation, status: reply.status, durationMs })
    // The query is not logged, because it can contain hashes and personal data.
    const path = call.url.split('?', 1)[0]?.slice(0, 500)
    const ms = Math.round(durationMs * 10) / 10
    logger.info({ requestId, method: call.method, path, operation, status: reply.status, ms }, 'request')
    return reply
  }

  const { server, close } = createNodeServer(answer, () => clock.now())
  const listening = await listen(server, { port, host, option: '`port` (PORT)' })
  port = listening.port
  const url = `http://${toHost(host)}:${port}`
  context.address.listensAt(url, listening)
  context.accounts?.listensAt(url)
  const studioLink = (): string | undefined =>
    studio && !people ? toStudioLink(url, sessions.createToken()) : undefined
  return { url, studioLink, stop: close }
}

/** How people reach the service; undefined if accounts are off. */
function toPeople({ accounts, settings }: ServiceContext): PeopleAccess | undefined {
  if (!accounts) return undefined
  return { accounts, url: accounts.url, addressOf: createCallerAddress(settings.trustedProxies) }
}

/** A proxy may pass on the name by which browsers reach the service. */
const namesOf = ({ accounts }: Settings): readonly string[] =>
  !accounts.enabled || accounts.url === undefined ? [] : [new URL(accounts.url).host]

function toHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') && isLoopback(host) ? `[${host}]` : host
}
