import { admitHere } from '../access/admit.ts'
import { type Identification, identify } from '../access/identify.ts'
import { rememberKeys } from '../access/outage-keys.ts'
import { ApiError } from '../api/api-error.ts'
import type { HttpCall, HttpReply } from '../api/http-call.ts'
import { systemClock } from '../clock/clock.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { jsonHeaders } from '../http/error-reply.ts'
import type { HttpService, Page } from '../http/handle-call.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { toOpenApi } from '../openapi/openapi-document.ts'
import { operations } from '../operations/operations.ts'
import type { Store } from '../store/store.ts'

/** Who asks for the health waits no longer: a database that answers later counts as away. */
const healthPatienceMs = 3_000
const healthKeptMs = 1_000

/** What pages are made of. */
export interface PageParts extends Identification {
  /** The environments whose keys may call mounts, by id. */
  readonly environmentIds: readonly string[]
  /** What `/metrics` shows. */
  readonly metrics: Metrics
  /** Returns the address of the service. */
  readonly url: () => string
}

/**
 * Returns the look-up of what is served beside the operations: pages of the service, and the mounts it was started with.
 * Health and the description of the API hold no data; everything else asks for a key or a session of the studio.
 */
export function createPages(context: ServiceContext, parts: PageParts): HttpService['findPage'] {
  const { mounts } = context.settings
  const describe = createDescription(parts)
  const health: Page = { answer: createHealthCheck(context) }
  const pages: Readonly<Record<string, Page>> = {
    '/health': health,
    // Its name in the former service.
    '/v1/health-check': health,
    '/openapi.json': { answer: async () => describe() },
    '/metrics': { answer: () => measure(parts), admit: rememberKeys((call) => identify(call, parts)) },
  }
  return (method, path) => {
    if (method === 'GET' && Object.hasOwn(pages, path)) return pages[path]
    const answer = Object.hasOwn(mounts, path) ? mounts[path] : undefined
    return answer && { answer, admit: (call) => admitToMount(call, parts) }
  }
}

async function admitToMount(call: HttpCall, parts: PageParts): Promise<void> {
  admitHere(call, parts.admission())
  const { environment } = await identify(call, parts)
  if (parts.environmentIds.includes(environment.id)) return
  throw new ApiError(403, `This path does not work in the environment ${environment.name}.`)
}

/** Returns the description of the API; it takes long to make, and anyone may ask for it. */
function createDescription({ url }: PageParts): () => HttpReply {
  let reply: HttpReply | undefined
  return () => {
    reply ??= { status: 200, headers: jsonHeaders, body: Buffer.from(JSON.stringify(toOpenApi(operations, url()))) }
    return reply
  }
}

const measure = async ({ metrics }: PageParts): Promise<HttpReply> => ({
  status: 200,
  headers: { 'content-type': metrics.contentType },
  body: await metrics.read(),
})

/**
 * Returns what checks the health: whether something can be stored. Anyone may ask, so all who ask within a second share one
 * check.
 */
function createHealthCheck({ store }: Pick<ServiceContext, 'store'>): () => Promise<HttpReply> {
  let last: { readonly atMs: number; readonly isUp: Promise<boolean> } | undefined
  return async () => {
    const atMs = performance.now()
    if (!last || atMs > last.atMs + healthKeptMs) {
      const patience = systemClock.sleep(healthPatienceMs).then(() => false)
      last = { atMs, isUp: Promise.race([canWrite(store).catch(() => false), patience]) }
    }
    const isUp = await last.isUp
    const body = JSON.stringify({ status: isUp ? 'ok' : 'error', database: store.driver })
    return { status: isUp ? 200 : 503, headers: jsonHeaders, body }
  }
}

/** A database with a full disk, or a replica, still answers what is only read. */
async function canWrite({ db }: Store): Promise<boolean> {
  const value = String(Date.now())
  await db
    .insertInto('settings')
    .values({ key: 'health', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
  return true
}
