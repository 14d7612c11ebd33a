import { sql } from 'kysely'
import { admitHere } from '../access/admit.ts'
import { type Identification, identify } from '../access/identify.ts'
import { rememberKeys } from '../access/outage-keys.ts'
import { ApiError } from '../api/api-error.ts'
import type { HttpCall, HttpReply } from '../api/http-call.ts'
import { systemClock } from '../clock/clock.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { jsonHeaders } from '../http/error-reply.ts'
import type { HttpService, Page } from '../http/handle-call.ts'
import type { Metrics } from '../http/metrics.ts'
import { toOpenApi } from '../openapi/openapi-document.ts'
import { operations } from '../operations/operations.ts'
import type { Store } from '../store/store.ts'

/** Who asks for the health waits no longer: a database that answers later counts as away. */
const healthPatienceMs = 3_000

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
  const pages: Readonly<Record<string, Page>> = {
    '/health': { answer: () => checkHealth(context) },
    '/openapi.json': { answer: async () => describe(parts) },
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

const describe = ({ url }: PageParts): HttpReply => ({
  status: 200,
  headers: jsonHeaders,
  body: JSON.stringify(toOpenApi(operations, url())),
})

const measure = async ({ metrics }: PageParts): Promise<HttpReply> => ({
  status: 200,
  headers: { 'content-type': metrics.contentType },
  body: await metrics.read(),
})

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
