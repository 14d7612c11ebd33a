import type { TakenItem } from '../../queue/queue.ts'
import { isUniqueViolation } from '../../store/faults/unique-violation.ts'
import type { TriggerRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { toStartSpan } from '../../traces/engine-spans.ts'
import { withSpan } from '../../traces/spans.ts'
import { createHistory } from '../base/history.ts'
import { isFinalFault } from '../base/is-final-fault.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { toLane } from '../run/lane.ts'
import { createRuns } from './create-runs.ts'
import { loadRecipients } from './next-recipients.ts'
import { planTrigger } from './trigger-plan.ts'

/**
 * Creates the next page of runs of an accepted trigger, and queues the following page after their work. Therefore
 * little more than one page waits at a time, however many recipients there are, and other workflows come first. Creates
 * no runs if the transaction id was already used in the environment. Does nothing for a finished trigger.
 *
 * @param item - The work; its id is the row id of the trigger.
 * @source service-api.md#idempotency
 */
export async function processTrigger(ports: EnginePorts, item: TakenItem): Promise<void> {
  try {
    await withRetry(() => processPage(ports, item))
  } catch (error) {
    if (!isFinalFault(error, item)) throw error
    ports.logger.error({ err: error, triggerId: item.id }, 'the runs of a trigger could not be created')
    await giveUp(ports, item, error)
  }
}

async function giveUp(
  { store, clock, queue }: EnginePorts,
  { id, priority, complete }: TakenItem,
  fault: unknown,
): Promise<void> {
  const error = JSON.stringify({ message: fault instanceof Error ? fault.message : String(fault) })
  await store.transaction(async (tx) => {
    await patch(tx, id, { status: 'failed', error, updatedAt: clock.now() })
    await reportEnd(tx, { queue, trigger: await lock(tx, id, clock.now()), priority })
    await complete(tx)
  })
}

/** Thrown if another trigger has created the runs of a transaction in the meantime. */
class ConcurrentTriggerError extends Error {
  override name = 'ConcurrentTriggerError'
}

/**
 * Of two concurrent triggers with the same transaction id, the second one is retried and then finds the first one's
 * row.
 */
async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ConcurrentTriggerError || isUniqueViolation(error))) throw error
    return work()
  }
}

async function processPage(ports: EnginePorts, { id, lane, priority, complete }: TakenItem): Promise<void> {
  const { store, clock, queue } = ports
  return store.transaction(async (tx) => {
    const nowMs = clock.now()
    const end = async (status: TriggerRow['status'], error: string | null = null): Promise<void> => {
      await patch(tx, id, {
        status,
        error: error === null ? null : JSON.stringify({ message: error }),
        updatedAt: nowMs,
      })
      await reportEnd(tx, { queue, trigger, priority })
      await complete(tx)
    }
    const trigger = await lock(tx, id, nowMs)
    if (!trigger || (trigger.status !== 'accepted' && trigger.status !== 'processing')) {
      await reportEnd(tx, { queue, trigger, priority })
      return complete(tx)
    }
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
    const page = await withSpan(toStartSpan(trigger), () => createPage(tx, { trigger, queue, priority, nowMs }))
    if (typeof page === 'string') return fail(page)
    const { cursor } = page
    await patch(tx, id, {
      ...(cursor === undefined ? { status: 'done' } : { status: 'processing', cursor }),
      updatedAt: nowMs,
    })
    // Checked again after the write: a concurrent trigger now conflicts with this row, and a trigger that was found
    // earlier may have been canceled.
    if (isFirst && (await isTransactionUsed(tx, trigger))) throw new ConcurrentTriggerError()
    if (cursor === undefined) await reportEnd(tx, { queue, trigger, priority })
    await complete(tx)
    if (cursor !== undefined) await queue.add(tx, [{ kind: 'trigger', id, lane, priority: 'bulk' }])
  })
}

interface NextPage extends Pick<EnginePorts, 'queue'> {
  readonly trigger: TriggerRow
  readonly priority: TakenItem['priority'] | undefined
  readonly nowMs: number
}

/** Creates the runs of a page. Returns the cursor of the next page, if there is one, or why the trigger fails. */
async function createPage(
  tx: Session,
  { trigger, queue, priority, nowMs }: NextPage,
): Promise<{ readonly cursor: string | undefined } | string> {
  const plan = await planTrigger(tx, trigger, nowMs)
  if (typeof plan === 'string') return plan
  const page = await loadRecipients(tx, plan, nowMs)
  if (typeof page === 'string') return page
  const history = createHistory(trigger.environmentId, nowMs)
  const isBulk = trigger.kind === 'broadcast' || trigger.cursor !== null || priority === 'bulk'
  const isLarge = isBulk || page.cursor !== undefined
  await createRuns({ tx, nowMs, history, queue, isBulk: isBulk ? 1 : 0, isLarge }, plan, page.recipients)
  await history.write(tx)
  return { cursor: page.cursor }
}

interface TriggerEnd extends Pick<EnginePorts, 'queue'> {
  readonly trigger: TriggerRow | undefined
  readonly priority: TakenItem['priority'] | undefined
}

/** Queues the step that a trigger belongs to after the last page, because all its runs may have ended, or it has none. */
async function reportEnd(tx: Session, { queue, trigger, priority = 'ongoing' }: TriggerEnd): Promise<void> {
  const id = trigger?.parentJobId
  if (id) await queue.add(tx, [{ kind: 'children', id, lane: toLane(trigger), priority }])
}

/** Locks the row, because another process may process the same item if it declared this one dead. */
function lock(tx: Session, id: string, nowMs: number): Promise<TriggerRow | undefined> {
  return tx.updateTable('triggers').set({ updatedAt: nowMs }).where('id', '=', id).returningAll().executeTakeFirst()
}

/** Canceled and failed triggers count only if they created runs. Rejected triggers never do. */
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

/** A trigger that has ended does not keep its body, so that data of recipients who are deleted later is not kept either. */
async function patch(tx: Session, id: string, values: Pick<TriggerRow, 'status'> & Partial<TriggerRow>): Promise<void> {
  const kept = values.status === 'processing' ? {} : { body: '{}' }
  await tx
    .updateTable('triggers')
    .set({ ...values, ...kept })
    .where('id', '=', id)
    .execute()
}
