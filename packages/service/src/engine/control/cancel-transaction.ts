import { toLaneName } from '../../queue/lane-name.ts'
import type { QueueItem, TakenItem } from '../../queue/queue.ts'
import type { Session } from '../../store/store.ts'
import { inTurns, pageSize } from '../base/in-turns.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { type CanceledBy, cancelRun, hasCancelable } from './cancel-run.ts'

export interface NamedTransaction {
  /** Row id of the environment. */
  readonly environmentId: string
  readonly transactionId: string
  /** The origin of the cancellation. @default 'api' */
  readonly by?: CanceledBy
  /** The person or key that cancels, for the history. */
  readonly who?: string | undefined
}

/** The cancellation of the runs of a trigger; the subject of its queue item, as JSON. */
interface Cancellation extends Pick<NamedTransaction, 'who'> {
  readonly by: CanceledBy
  readonly triggerId: string
  /** The subscriber id before the next page; empty for the first one. */
  readonly after: string
}

/**
 * Cancels the unfinished work of a transaction: pending triggers, steps that wait or have not started, and events in
 * open digests. Running and finished steps do not change. The first runs are canceled at once; the queue cancels all,
 * because there may be many, and this process may end.
 *
 * @returns Whether there was something to cancel.
 * @source service-api.md#cancel
 */
export async function cancelTransaction(ports: EnginePorts, named: NamedTransaction): Promise<boolean> {
  const { environmentId, by = 'api', who } = named
  const { hasStopped, triggerIds } = await ports.store.transaction(async (tx) => {
    const hasStopped = await stopTriggers(tx, named, ports.clock.now())
    const triggerIds = await findTriggers(tx, { ...named, by })
    const items = triggerIds.map((triggerId) => toItem(environmentId, { triggerId, by, who, after: '' }))
    await ports.queue.add(tx, items)
    return { hasStopped, triggerIds }
  })
  for (const triggerId of triggerIds) await cancelPage(ports, { triggerId, by, who, after: '' })
  return hasStopped || triggerIds.length > 0
}

/**
 * Cancels the next page of the runs of a trigger, and queues the following page.
 *
 * @param ports - The ports of the engine.
 * @param item - The work; its id is a {@link Cancellation}.
 */
export async function continueCancel(ports: EnginePorts, { id, kind, lane, complete }: TakenItem): Promise<void> {
  const cancellation = JSON.parse(id) as Cancellation
  const after = await cancelPage(ports, cancellation)
  await ports.store.transaction(async (tx) => {
    await complete(tx)
    if (after !== undefined) await ports.queue.add(tx, [{ kind, lane, id: JSON.stringify({ ...cancellation, after }) }])
  })
}

const toItem = (environmentId: string, cancellation: Cancellation): QueueItem => ({
  ...{ kind: 'cancel', id: JSON.stringify(cancellation), lane: toLaneName(environmentId, 'cancel') },
  priority: 'ongoing',
})

/** Returns whether a trigger was still creating runs. */
async function stopTriggers(tx: Session, named: NamedTransaction, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('triggers')
    .set({ status: 'canceled', body: '{}', updatedAt: nowMs })
    .where('environmentId', '=', named.environmentId)
    .where('transactionId', '=', named.transactionId)
    .where('status', 'in', ['accepted', 'processing'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns the triggers of a transaction that have runs to cancel. */
async function findTriggers(
  tx: Session,
  { environmentId, transactionId, by }: NamedTransaction & Pick<Cancellation, 'by'>,
): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom('triggers')
    .select('triggers.id')
    .where('triggers.environmentId', '=', environmentId)
    .where('triggers.transactionId', '=', transactionId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('runs')
          .select('runs.id')
          .whereRef('runs.triggerId', '=', 'triggers.id')
          .where((where) => hasCancelable(by)(where as never)),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the start of the following page; `undefined` after the last one. */
async function cancelPage(
  ports: EnginePorts,
  { triggerId, after, by, who }: Cancellation,
): Promise<string | undefined> {
  const { db } = ports.store
  const page = await db
    .selectFrom('runs')
    .select(['id', 'externalSubscriberId'])
    .select((where) => hasCancelable(by)(where).as('isActive'))
    .where('triggerId', '=', triggerId)
    .where('externalSubscriberId', '>', after)
    .orderBy('externalSubscriberId')
    .limit(pageSize)
    .execute()
  const active = page.filter(({ isActive }) => Boolean(isActive))
  await inTurns(active, ({ id }) => cancelRun(ports, id, { by, who }))
  return page.length === pageSize ? page.at(-1)?.externalSubscriberId : undefined
}
