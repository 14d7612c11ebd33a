import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '@trestle/protocol'
import { cleanText } from '../base/clean-text.ts'
import { CommandError } from '../terminal/command-error.ts'
import { callService, type ServiceAccess } from './service-access.ts'

/** Selects a trigger. */
export interface TriggerQuery {
  /** The transaction id of the trigger; if it was used several times, the last trigger is selected. */
  readonly transactionId: string
  readonly signal: AbortSignal
}

interface Trigger {
  /** `accepted` until its first runs exist, then `processing` until all of them do. */
  readonly status: 'accepted' | 'processing' | 'done' | 'duplicate' | 'failed' | 'canceled'
  /** Why it created no run, or not all of them; null otherwise. */
  readonly reason: string | null
}

const patienceMs = 10_000
const askAgainMs = 100

/**
 * Yields the ids of a trigger's runs as the service creates them, until all of them exist. For a topic, that can take as
 * long as the runs do.
 *
 * @throws {CommandError} The service does not start to create runs.
 */
export async function* listRunIds(access: ServiceAccess, query: TriggerQuery): AsyncGenerator<string, void, undefined> {
  const endMs = Date.now() + patienceMs
  let lastId: string | undefined
  for (;;) {
    // Read before the runs, so that none is added after the last list.
    const status = (await readTrigger(access, query))?.status ?? 'accepted'
    // The runs of its transaction belong to an earlier trigger.
    if (status === 'duplicate') return
    if (status === 'accepted' && Date.now() >= endMs)
      throw new CommandError(`The trigger ${query.transactionId} created no run within ${patienceMs / 1000} seconds.`)
    for (;;) {
      const ids = status === 'accepted' ? [] : await readIds(access, query, lastId)
      if (ids.length === 0) break
      yield* ids
      lastId = ids.at(-1)
    }
    if (status !== 'accepted' && status !== 'processing') return
    await sleep(askAgainMs, undefined, { signal: query.signal })
  }
}

/** Returns the next runs in the order of their creation, so that runs created in the meantime come last. */
async function readIds(
  access: ServiceAccess,
  { transactionId, signal }: TriggerQuery,
  after: string | undefined,
): Promise<readonly string[]> {
  const query = new URLSearchParams({ transactionId, limit: '100', orderDirection: 'ASC', ...(after && { after }) })
  const rows = await readList(access, { path: `/v1/studio/runs?${query}`, signal })
  return rows.flatMap(({ _id: id }) => (typeof id === 'string' ? [id] : []))
}

/** Returns the status of a trigger; undefined if the service does not have it. */
export async function readTrigger(
  access: ServiceAccess,
  { transactionId, signal }: TriggerQuery,
): Promise<Trigger | undefined> {
  const query = new URLSearchParams({ transactionId, limit: '1' })
  const [trigger] = await readList(access, { path: `/v1/studio/triggers?${query}`, signal })
  if (!trigger) return undefined
  const { status, error } = trigger as { status: Trigger['status']; error: unknown }
  const reasons: Partial<Record<Trigger['status'], string>> = {
    duplicate: 'its transaction id was already used',
    canceled: 'it was canceled',
    failed: cleanText(String(error)),
  }
  return { status, reason: reasons[status] ?? null }
}

async function readList(
  access: ServiceAccess,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const page = await callService(access, { method: 'GET', path, signal })
  return isObject(page) && Array.isArray(page['data']) ? page['data'].filter(isObject) : []
}
