import { type ChildRun, toChildrenResult, toSettlementFault } from '@trestle/run-rules'
import type { RunRow, TriggerRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { parseObject } from '../base/parse-json.ts'
import { type ChildPorts, isOfParent, turnTrigger, type WaitingTrigger } from './waiting-trigger.ts'

/**
 * Ends a step that waits for the runs that it triggered, if all of them have ended.
 *
 * @param ports - The ports of the engine.
 * @param waiting - The step.
 * @param trigger - Its trigger.
 */
export async function endChildren(ports: ChildPorts, waiting: WaitingTrigger, trigger: TriggerRow): Promise<void> {
  if (trigger.status === 'accepted' || trigger.status === 'processing') return
  const runs = await loadChildRuns(ports.store.db, waiting.job.id)
  if (runs.some(({ status }) => status === 'running')) return
  const { transactionId, status } = trigger
  if (runs.length === 0 && (status === 'failed' || status === 'duplicate')) {
    const reason =
      status === 'duplicate'
        ? `the transaction id ${JSON.stringify(transactionId)} was already used`
        : String(parseObject(trigger.error)['message'])
    return turnTrigger(ports, waiting, {
      status: 'failed',
      error: toSettlementFault(waiting.job, { kind: 'invalid', reason }),
      name: 'childrenRefused',
      raw: { reason },
    })
  }
  const result = toChildrenResult({
    ...{ transactionId, runs: runs.map(toChildRun) },
    ...{ isCanceled: status === 'canceled', isFailed: status === 'failed' },
  })
  await turnTrigger(ports, waiting, { status: 'completed', name: 'childrenEnded', result, raw: result })
}

type ChildRow = Pick<RunRow, 'id' | 'externalSubscriberId' | 'status'>

function loadChildRuns(db: Session, jobId: string): Promise<readonly ChildRow[]> {
  return db
    .selectFrom('runs')
    .select(['id', 'externalSubscriberId', 'status'])
    .where(isOfParent(jobId))
    .orderBy('id')
    .execute()
}

function toChildRun({ id, externalSubscriberId, status }: ChildRow): ChildRun {
  return { runId: id, subscriberId: externalSubscriberId, status: status as ChildRun['status'] }
}
