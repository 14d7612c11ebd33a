import type { TakenItem } from '../../queue/queue.ts'
import { UnstorableValueError } from '../../store/check-parameter.ts'
import { cancelRun } from '../control/cancel-run.ts'
import type { AcceptPorts } from '../intake/accept-triggers.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { TooManyDescendantsError } from './descendants.ts'
import { endChildren } from './end-children.ts'
import { refuseTrigger, triggerChildren } from './trigger-children.ts'
import { isOfParent, loadWaitingTrigger, type WaitingTrigger } from './waiting-trigger.ts'

/**
 * Continues a step that triggers a workflow: it triggers it, or ends if the runs that it awaits have ended. Does nothing
 * for a step that has ended.
 *
 * @param ports - The ports of the engine.
 * @param item - The work; its id is the row id of the step.
 */
export async function continueChildren(ports: EnginePorts & AcceptPorts, { id, complete }: TakenItem): Promise<void> {
  const { db } = ports.store
  const waiting = await loadWaitingTrigger(db, id)
  if (waiting) {
    const trigger = await db.selectFrom('triggers').selectAll().where(isOfParent(id)).executeTakeFirst()
    await (trigger ? endChildren(ports, waiting, trigger) : triggerOrRefuse(ports, waiting))
  }
  await complete(db)
}

/**
 * The output of a step can contain text that the database cannot store, such as U+0000, and other steps can have
 * triggered the last runs that are allowed.
 */
async function triggerOrRefuse(ports: EnginePorts & AcceptPorts, waiting: WaitingTrigger): Promise<void> {
  try {
    await triggerChildren(ports, waiting)
  } catch (error) {
    if (!(error instanceof UnstorableValueError || error instanceof TooManyDescendantsError)) throw error
    await refuseTrigger(ports, waiting, error.message)
  }
}

/**
 * Cancels the runs that a canceled step has awaited.
 *
 * @param ports - The ports of the engine.
 * @param item - The work; its id is the row id of the step.
 */
export async function cancelChildren(ports: EnginePorts, { id, complete }: TakenItem): Promise<void> {
  const { db } = ports.store
  await db
    .updateTable('triggers')
    .set({ status: 'canceled', body: '{}', updatedAt: ports.clock.now() })
    .where(isOfParent(id))
    .where('status', 'in', ['accepted', 'processing'])
    .execute()
  const runs = await db
    .selectFrom('runs')
    .select(['id', 'parentRunId'])
    .where(isOfParent(id))
    .where('status', 'in', ['running', 'merged'])
    .orderBy('id')
    .execute()
  for (const run of runs) await cancelRun(ports, run.id, { by: 'parent', runId: run.parentRunId })
  await complete(db)
}
