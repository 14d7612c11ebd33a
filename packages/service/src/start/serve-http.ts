import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import type { HttpCall, HttpReply } from '../api/http-call.ts'
import { systemClock } from '../clock/clock.ts'
import { isLoopback } from '../config/is-loopback.ts'
import type { Mount } from '../config/options.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { jsonHeaders } from '../http/error-reply.ts'
import { type HttpService, handleCall, type Page } from '../http/handle-call.ts'
import { createMetrics, type Metrics } from '../http/metrics.ts'
import { createNodeServer } from '../http/node-server.ts'
import { createRouter } from '../http/router.ts'
import { toOpenApi } from '../openapi/openapi-document.ts'
import { operations } from '../operations/operations.ts'
import type { Queue } from '../queue/queue.ts'
import type { Store } from '../store/store.ts'
import { findStudio } from '../studio/find-studio.ts'
import { createStudioPages } from '../studio/studio-pages.ts'

/** Who asks for the health waits no longer: a database that answers later counts as away. */
const healthPatienceMs = 3_000

/** A server that listens. */
export interface Listening {
  /** Where. */
  readonly url: string
  /** Accepts no more requests, and waits for those that are being answered. */
  stop(graceMs: number): Promise<void>
}

/**
 * Serves the API.
 *
 * @throws When the address is taken.
 */
export async function serveHttp(context: ServiceContext, queue: Queue): Promise<Listening> {
  const { settings, logger, clock } = context
  const metrics = createMetrics(queue)
  let port = settings.port
  const { host, allowedHosts } = settings
  const studio = settings.studio ? await createStudioPages(context, await findStudio(settings.studio)) : undefined
  const pages = createPages(context, { metrics, url: () => `http://${toHost(host)}:${port}` })
  const service: HttpService = {
    context,
    router: createRouter(operations),
    admission: () => ({ host, port, allowedHosts, isPage: (path) => studio?.isPage(path) ?? false }),
    findPage: (method, path) => pages(method, path) ?? toHidden(studio?.find(method, path)),
  }
  async function answer(call: HttpCall): Promise<HttpReply> {
    const startedMs = performance.now()
    const requestId = randomUUID()
    const { reply, operation = 'none' } = await handleCall(service, call, requestId)
    const durationMs = performance.now() - startedMs
    metrics.observe({ operation, status: reply.status, durationMs })
    // The query stays out of the log: it may hold hashes and personal data.
    const path = call.url.split('?', 1)[0]?.slice(0, 500)
    const ms = Math.round(durationMs * 10) / 10
    logger.info({ requestId, method: call.method, path, operation, status: reply.status, ms }, 'request')
    return reply
  }

  const { server, close } = createNodeServer(answer, () => clock.now())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const listening = server.address() as AddressInfo
  port = listening.port
  const url = `http://${toHost(host)}:${port}`
  context.address.listensAt(url, listening)
  return { url, stop: close }
}

interface PageParts {
  readonly metrics: Metrics
  readonly url: () => string
}

const toHidden = (answer: Mount | undefined): Page | undefined => answer && { answer, isForAll: false }

/** Returns the look-up of what is served without a key: pages of the service, and what it was started with. */
function createPages(context: ServiceContext, { metrics, url }: PageParts): HttpService['findPage'] {
  const { mounts } = context.settings
  const describe: Mount = async () => ({
    status: 200,
    headers: jsonHeaders,
    body: JSON.stringify(toOpenApi(operations, url())),
  })
  const measure: Mount = async () => ({
    status: 200,
    headers: { 'content-type': metrics.contentType },
    body: await metrics.read(),
  })
  const pages: Readonly<Record<string, Page>> = {
    '/health': { answer: () => checkHealth(context), isForAll: true },
    '/openapi.json': { answer: describe, isForAll: true },
    '/metrics': { answer: measure, isForAll: false },
  }
  return (method, path) => {
    if (method === 'GET' && Object.hasOwn(pages, path)) return pages[path]
    return Object.hasOwn(mounts, path) ? toHidden(mounts[path]) : undefined
  }
}

async function checkHealth({ store }: ServiceContext): Promise<HttpReply> {
  const isUp = await Promise.race([
    canWork(store).catch(() => false),
    systemClock.sleep(healthPatienceMs).then(() => false),
  ])
  const body = JSON.stringify({ status: isUp ? 'ok' : 'error', database: store.driver })
  return { status: isUp ? 200 : 503, headers: jsonHeaders, body }
}

async function canWork({ db, driver }: Store): Promise<boolean> {
  await db.selectFrom('settings').select('key').limit(1).execute()
  if (driver !== 'postgres') return true
  const { rows } = await sql<{
    isReadOnly: string
  }>`select current_setting('transaction_read_only') as "isReadOnly"`.execute(db)
  return rows[0]?.isReadOnly === 'off'
}

function toHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') && isLoopback(host) ? `[${host}]` : host
}
