import type { TakenItem } from '../../queue/queue.ts'
import { UnstorableValueError } from '../../store/check-parameter.ts'
import { isUniqueViolation } from '../../store/faults/unique-violation.ts'
import type { TriggerRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { createHistory } from '../base/history.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { createRuns } from './create-runs.ts'
import { loadRecipients } from './next-recipients.ts'
import { planTrigger } from './trigger-plan.ts'

/** So often a trigger is tried that fails in the service itself, a few minutes long. */
const maxAttempts = 12

/**
 * Creates the next page of the runs of an accepted trigger, and queues the page after it behind their work: however many
 * recipients there are, little more than a page waits, and other workflows go first. A trigger whose transaction id has been used in the environment
 * makes none. Does nothing for a trigger that is over.
 *
 * @param ports - What the engine acts through.
 * @param item - The work; its id is the trigger's.
 * @source service-api.md#idempotency
 */
export async function processTrigger(ports: EnginePorts, item: TakenItem): Promise<void> {
  try {
    await withRetry(() => processPage(ports, item))
  } catch (error) {
    if (!(error instanceof UnstorableValueError || item.attempts >= maxAttempts)) throw error
    ports.logger.error({ err: error, triggerId: item.id }, 'the runs of a trigger could not be created')
    await giveUp(ports, item, error)
  }
}

async function giveUp({ store, clock }: EnginePorts, { id, complete }: TakenItem, fault: unknown): Promise<void> {
  const error = JSON.stringify({ message: fault instanceof Error ? fault.message : String(fault) })
  await store.transaction(async (tx) => {
    await patch(tx, id, { status: 'failed', error, updatedAt: clock.now() })
    await complete(tx)
  })
}

/** Thrown if another trigger has created the runs of a transaction in the meantime. */
class ConcurrentTriggerError extends Error {
  override name = 'TakenMeanwhileError'
}

/** Two triggers of one transaction id that are begun at the same time: the second meets the first's row. */
async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ConcurrentTriggerError || isUniqueViolation(error))) throw error
    return work()
  }
}

async function processPage(ports: EnginePorts, { id, lane, complete }: TakenItem): Promise<void> {
  const { store, clock, queue } = ports
  return store.transaction(async (tx) => {
    const nowMs = clock.now()
    const end = async (status: TriggerRow['status'], error: string | null = null): Promise<void> => {
      await patch(tx, id, {
        status,
        error: error === null ? null : JSON.stringify({ message: error }),
        updatedAt: nowMs,
      })
      await complete(tx)
    }
    const trigger = await lock(tx, id, nowMs)
    if (!trigger || (trigger.status !== 'accepted' && trigger.status !== 'processing')) return complete(tx)
    const logReason = (reason: string): void => {
      ports.logger.warn({ triggerId: id, transactionId: trigger.transactionId, reason }, 'a trigger creates no run')
    }
    const fail = (reason: string): Promise<void> => {
      logReason(reason)
      return end('failed', reason)
    }
    const isFirst = trigger.status === 'accepted'
    if (isFirst && (await isTransactionUsed(tx, trigger))) {
      logReason('its transaction id was already used')
      return end('duplicate')
    }
    const plan = await planTrigger(tx, trigger, nowMs)
    if (typeof plan === 'string') return fail(plan)
    const page = await loadRecipients(tx, plan, nowMs)
    if (typeof page === 'string') return fail(page)
    const history = createHistory(trigger.environmentId, nowMs)
    const priority = trigger.kind === 'broadcast' || trigger.cursor !== null ? 'bulk' : 'ongoing'
    await createRuns({ tx, nowMs, history, queue, priority }, plan, page.recipients)
    await history.write(tx)
    const { cursor } = page
    await patch(tx, id, {
      ...(cursor === undefined ? { status: 'done' } : { status: 'processing', cursor }),
      updatedAt: nowMs,
    })
    // From here on another one meets this row. One that was before it may be canceled by now, and meets none.
    if (isFirst && (await isTransactionUsed(tx, trigger))) throw new ConcurrentTriggerError()
    await complete(tx)
    if (cursor !== undefined) await queue.add(tx, [{ kind: 'trigger', id, lane, priority: 'bulk' }])
  })
}

/** Another process may hold the same work if this one was declared dead. */
function lock(tx: Session, id: string, nowMs: number): Promise<TriggerRow | undefined> {
  return tx.updateTable('triggers').set({ updatedAt: nowMs }).where('id', '=', id).returningAll().executeTakeFirst()
}

/** One that was canceled or failed counts as soon as it has made runs; one that was refused has made none. */
async function isTransactionUsed(tx: Session, { id, environmentId, transactionId }: TriggerRow): Promise<boolean> {
  const other = await tx
    .selectFrom('triggers')
    .select('id')
    .where('environmentId', '=', environmentId)
    .where('transactionId', '=', transactionId)
    .where('id', '!=', id)
    .where(({ or, and, exists, selectFrom, eb }) =>
      or([
        eb('status', 'in', ['processing', 'done']),
        and([
          eb('status', 'in', ['canceled', 'failed']),
          exists(selectFrom('runs').select('runs.id').whereRef('runs.triggerId', '=', 'triggers.id')),
        ]),
      ]),
    )
    .executeTakeFirst()
  return other !== undefined
}

async function patch(tx: Session, id: string, values: Partial<TriggerRow>): Promise<void> {
  await tx.updateTable('triggers').set(values).where('id', '=', id).execute()
}
