import type { JsonObject } from '@trestle/protocol'
import {
  toChildTransactionId,
  toDepthFault,
  toRecipientFault,
  toSettlementFault,
  toTriggeredResult,
} from '@trestle/run-rules'
import type { Session } from '../../store/store.ts'
import { parseObject } from '../base/parse-json.ts'
import { toAddressees } from '../decision/recipient.ts'
import { type AcceptPorts, checkTrigger, toTriggerRow } from '../intake/accept-triggers.ts'
import { toRepeatedRequest } from '../intake/repeated-request.ts'
import type { TriggerRequest, TriggerResult } from '../intake/trigger-request.ts'
import { toLane, toRunWork } from '../run/lane.ts'
import { findRoot, reserveDescendants } from './descendants.ts'
import { type ChildPorts, turnTrigger, type WaitingTrigger } from './waiting-trigger.ts'

/**
 * Triggers the workflow of a step once: stores the trigger with its work in the transaction that ends the step, or lets it
 * wait. The step fails if the service cannot accept the trigger.
 *
 * @param ports - The ports of the engine.
 * @param waiting - The step, which has not triggered its workflow.
 * @source service-api.md#trigger
 */
export async function triggerChildren(ports: ChildPorts & AcceptPorts, waiting: WaitingTrigger): Promise<void> {
  const { job, run } = waiting
  const { environmentId } = run
  const rootRunId = await findRoot(ports.store.db, run)
  const request = toRequest(waiting, rootRunId)
  const count = toDepthFault(run.depth) ?? (await countRecipients(ports.store.db, environmentId, request.to))
  if (typeof count === 'string') return refuseTrigger(ports, waiting, count)
  const batch = { environmentId, kind: 'single' } as const
  const checked = await checkTrigger(ports, batch, request)
  if (!checked) return refuseTrigger(ports, waiting, `the environment has no workflow ${JSON.stringify(request.name)}`)
  const { result } = checked
  if (result.status !== 'processed') return refuseTrigger(ports, waiting, toReason(result))
  const transactionId = request.transactionId ?? ''
  const isAwaited = request.parent?.isAwaited === true
  await turnTrigger(ports, waiting, {
    ...(isAwaited
      ? { status: 'delayed', name: 'childrenAwaited' }
      : { status: 'completed', name: 'childrenTriggered', result: toTriggeredResult(transactionId) }),
    raw: { workflow: request.name, transactionId },
    async write(tx, nowMs) {
      await reserveDescendants(tx, rootRunId, count)
      const row = { ...toTriggerRow(batch, checked, nowMs), parentJobId: job.id, trace: run.trace }
      await tx.insertInto('triggers').values(row).execute()
      await ports.queue.add(tx, [{ ...toRunWork(run, 'trigger', row.id), lane: toLane(row) }])
    },
  })
}

/** The runs inherit the tenant, the contexts and the actor of the step's run. */
function toRequest({ job, run }: WaitingTrigger, rootRunId: string): TriggerRequest {
  const { workflow, to, payload = {}, overrides, await: isAwaited } = parseObject(job.outputs)
  const { tenant, context, actor } = toRepeatedRequest(run)
  return {
    ...{ tenant, context, actor, to, name: String(workflow) },
    ...{ payload: payload as JsonObject, overrides: overrides as JsonObject | undefined },
    transactionId: toChildTransactionId({ runId: run.id, stepId: job.stepId }),
    parent: { runId: run.id, rootRunId, jobId: job.id, depth: run.depth, isAwaited: isAwaited === true },
  }
}

/** Fails a step whose trigger the service cannot accept. */
export function refuseTrigger(ports: ChildPorts, waiting: WaitingTrigger, reason: string): Promise<void> {
  return turnTrigger(ports, waiting, {
    status: 'failed',
    error: toSettlementFault(waiting.job, { kind: 'invalid', reason }),
    name: 'childrenRefused',
    raw: { reason },
  })
}

const reasons: Readonly<Partial<Record<TriggerResult['status'], string>>> = {
  trigger_not_active: 'the workflow is not active',
  no_workflow_steps_defined: 'the workflow has no steps',
  no_tenant_found: 'the tenant of the run no longer exists',
}

function toReason({ status, error = [] }: TriggerResult): string {
  return error.length > 0 ? error.join('; ') : (reasons[status] ?? status)
}

/** Returns how many recipients there are with the members of topics, or why they are not possible. */
async function countRecipients(db: Session, environmentId: string, to: unknown): Promise<number | string> {
  const addressees = toAddressees(to)
  if (typeof addressees === 'string') return addressees
  const { recipients, topics } = addressees
  if (topics.length === 0) return toRecipientFault(recipients.length) ?? recipients.length
  const keys = topics.map(({ topicKey }) => topicKey)
  const existingTopics = await db
    .selectFrom('topics')
    .select('key')
    .where('environmentId', '=', environmentId)
    .where('key', 'in', keys)
    .execute()
  const missingKey = keys.find((key) => !existingTopics.some((topic) => topic.key === key))
  if (missingKey !== undefined) return `the topic "${missingKey}" does not exist`
  const { count } = await db
    .selectFrom('topicSubscriptions')
    .innerJoin('topics', 'topics.id', 'topicSubscriptions.topicId')
    .where('topics.environmentId', '=', environmentId)
    .where('topics.key', 'in', keys)
    .select(({ fn }) => fn.count('topicSubscriptions.subscriberId').distinct().as('count'))
    .executeTakeFirstOrThrow()
  const total = recipients.length + Number(count)
  return toRecipientFault(total) ?? total
}
