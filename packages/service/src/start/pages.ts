import { admitHere } from '../access/admit.ts'
import { type Caller, type Identification, identify } from '../access/identify.ts'
import { rememberKeys } from '../access/outage-keys.ts'
import { ApiError } from '../api/api-error.ts'
import type { HttpCall, HttpReply } from '../api/http-call.ts'
import { systemClock } from '../clock/clock.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { jsonHeaders } from '../http/error-reply.ts'
import type { HttpService, Page } from '../http/handle-call.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { operations } from '../operations/operations.ts'
import type { Store } from '../store/store.ts'

/** The health check fails after this time, in milliseconds. */
const healthPatienceMs = 3_000
const healthKeptMs = 1_000

/** Dependencies of pages. */
export interface PageParts extends Identification {
  /** The environments whose keys may call mounts, by id. */
  readonly environmentIds: readonly string[]
  readonly metrics: Metrics
  /** Returns the URL of the service. */
  readonly url: () => string
}

/**
 * Returns the lookup of pages other than the operations: pages of the service, and its mounts. Health and API
 * description contain no data; everything else requires a key or a studio session.
 */
export function createPages(context: ServiceContext, parts: PageParts): HttpService['findPage'] {
  const { mounts } = context.settings
  const describe = createDescription(parts)
  const health: Page = { answer: createHealthCheck(context) }
  const pages: Readonly<Record<string, Page>> = {
    '/health': health,
    // The path of the health check in the legacy service.
    '/v1/health-check': health,
    '/openapi.json': { answer: describe },
    '/metrics': {
      answer: () => measure(parts),
      admit: rememberKeys((call) => identifyOther(call, parts), context.revocations),
    },
  }
  return (method, path) => {
    if (method === 'GET' && Object.hasOwn(pages, path)) return pages[path]
    const answer = Object.hasOwn(mounts, path) ? mounts[path] : undefined
    return answer && { answer, admit: (call) => admitToMount(call, parts) }
  }
}

/** Roles apply to operations, so a person has access to no pages other than the studio. */
async function identifyOther(call: HttpCall, parts: PageParts): Promise<Caller> {
  const caller = await identify(call, parts)
  if (!caller.person) return caller
  throw new ApiError(403, 'This path needs a secret key. An account session does not open it.')
}

async function admitToMount(call: HttpCall, parts: PageParts): Promise<void> {
  admitHere(call, parts.admission())
  const { environment } = await identifyOther(call, parts)
  if (parts.environmentIds.includes(environment.id)) return
  throw new ApiError(403, `This path is not available in the environment ${environment.name}.`)
}

/** Returns the cached API description, which is public and slow to create. Its examples are loaded at the first call. */
function createDescription({ url }: PageParts): () => Promise<HttpReply> {
  let reply: Promise<HttpReply> | undefined
  const create = async (): Promise<HttpReply> => {
    const { toOpenApi } = await import('../openapi/openapi-document.ts')
    return { status: 200, headers: jsonHeaders, body: Buffer.from(JSON.stringify(toOpenApi(operations, url()))) }
  }
  return () => {
    reply ??= create()
    return reply
  }
}

const measure = async ({ metrics }: PageParts): Promise<HttpReply> => ({
  status: 200,
  headers: { 'content-type': metrics.contentType },
  body: await metrics.read(),
})

/**
 * Returns the health check: whether the database can be written to. It is public, so all callers within a second share
 * one check.
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
    return isUp
      ? { status: 200, headers: jsonHeaders, body }
      : { status: 503, headers: { ...jsonHeaders, 'retry-after': '1' }, body }
  }
}

/** A database with a full disk, or a replica, still answers reads. */
async function canWrite({ db }: Store): Promise<boolean> {
  const value = String(Date.now())
  await db
    .insertInto('settings')
    .values({ key: 'health', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
  return true
}
