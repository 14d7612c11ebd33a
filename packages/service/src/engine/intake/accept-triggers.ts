import { randomUUID } from 'node:crypto'
import { createId } from '../../store/create-id.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { type Addressees, toAddressees, toRecipient } from '../decision/recipient.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { toLane } from '../work/advance-run.ts'
import { findTenant, isActiveFor } from './find-tenant.ts'
import type { TriggerKind, TriggerRequest, TriggerResult } from './trigger-request.ts'

/** Who triggers what. */
export interface TriggerBatch {
  /** Row id of the environment. */
  readonly environmentId: string
  /** How the triggers came. */
  readonly kind: TriggerKind
  /** The triggers. */
  readonly requests: readonly TriggerRequest[]
}

/**
 * Accepts triggers: those that can be run are stored with the work they mean, all in one transaction.
 *
 * @param ports - What the engine acts through.
 * @param batch - The triggers.
 * @returns What became of each, in order; `undefined` for one that names a workflow the environment does not have.
 * @source Specification, "Idempotency rules", 5; facts of the REST API, "Events".
 */
export async function acceptTriggers(
  ports: EnginePorts,
  batch: TriggerBatch,
): Promise<readonly (TriggerResult | undefined)[]> {
  const { store, clock, queue } = ports
  const nowMs = clock.now()
  const checked: (Checked | undefined)[] = []
  for (const request of batch.requests) checked.push(await check(store.db, batch, request))
  const rows = checked.flatMap((one) => (one?.result.status === 'processed' ? [toRow(batch, one, nowMs)] : []))
  if (rows.length > 0)
    await store.transaction(async (tx) => {
      await tx.insertInto('triggers').values(rows).execute()
      const items = rows.map((row) => ({ kind: 'trigger', id: row.id, lane: toLane(row) }))
      await queue.add(tx, items)
    })
  return checked.map((one) => one?.result)
}

interface Checked {
  readonly request: TriggerRequest
  readonly result: TriggerResult
}

async function check(
  db: Session,
  { environmentId, kind }: TriggerBatch,
  request: TriggerRequest,
): Promise<Checked | undefined> {
  const workflow = await db
    .selectFrom('workflows')
    .select(['id', 'active', 'steps'])
    .where('environmentId', '=', environmentId)
    .where('identifier', '=', request.name)
    .executeTakeFirst()
  if (!workflow) return undefined
  const transactionId = request.transactionId ?? randomUUID()
  const refuse = (status: TriggerResult['status'], error?: string): Checked => {
    return {
      request,
      result: { acknowledged: true, status, transactionId, ...(error !== undefined && { error: [error] }) },
    }
  }
  const tenant = await findTenant(db, environmentId, request.tenant)
  if (tenant === 'unknown') return refuse('no_tenant_found')
  if (!(await isActiveFor(db, workflow, tenant))) return refuse('trigger_not_active')
  if (isWithoutSteps(workflow)) return refuse('no_workflow_steps_defined')
  const fault = findFault(request, kind)
  if (fault !== undefined) return refuse('invalid_recipients', fault)
  const result = { acknowledged: true, status: 'processed', transactionId } as const
  return { request: { ...request, transactionId }, result }
}

function isWithoutSteps({ steps }: Pick<WorkflowRow, 'steps'>): boolean {
  return steps === '[]' || (JSON.parse(steps) as readonly unknown[]).length === 0
}

function findFault({ to, actor }: TriggerRequest, kind: TriggerKind): string | undefined {
  if (actor !== undefined && actor !== null && !toRecipient(actor))
    return 'actor must be a subscriber id, or an object with a subscriberId'
  if (kind === 'broadcast') return undefined
  const addressees: Addressees | string = toAddressees(to)
  if (typeof addressees === 'string') return addressees
  const { recipients, topics } = addressees
  return recipients.length + topics.length === 0 ? 'to names no recipient' : undefined
}

function toRow({ environmentId, kind }: TriggerBatch, { request }: Checked, nowMs: number) {
  const { name, transactionId = '', ...body } = request
  return {
    id: createId(nowMs),
    environmentId,
    transactionId,
    workflowIdentifier: name,
    kind,
    body: JSON.stringify(body),
    status: 'accepted',
    error: null,
    cursor: null,
    createdAt: nowMs,
    updatedAt: nowMs,
  } as const
}
