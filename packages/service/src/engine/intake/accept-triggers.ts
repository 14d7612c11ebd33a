import { randomUUID } from 'node:crypto'
import { findPayloadFaults, UnusableSchemaError } from '../../schemas/check-payload.ts'
import { createId } from '../../store/create-id.ts'
import type { TriggerRow } from '../../store/schema/run.ts'
import { startTriggerSpan } from '../../traces/engine-spans.ts'
import { failSpan, toStoredSpan } from '../../traces/spans.ts'
import { type Addressees, toAddressees, toRecipient } from '../decision/recipient.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { findTenant, isActiveFor } from './find-tenant.ts'
import type { PayloadFault, TriggerKind, TriggerRequest, TriggerResult } from './trigger-request.ts'
import type { TriggerWriter } from './trigger-writer.ts'
import type { TriggeredWorkflow, WorkflowLookUp } from './workflow-look-up.ts'

/** Triggers that were requested together. */
export interface TriggerBatch {
  /** Row id of the environment. */
  readonly environmentId: string
  /** The kind of request. */
  readonly kind: TriggerKind
  readonly requests: readonly TriggerRequest[]
}

/** Dependencies for accepting triggers. */
export interface AcceptPorts extends Pick<EnginePorts, 'store' | 'clock'> {
  readonly writer: TriggerWriter
  readonly lookUp: WorkflowLookUp
}

/**
 * Accepts triggers: stores the valid ones together with their work, in one transaction.
 *
 * @returns The results in order; `undefined` if the environment does not have the workflow.
 * @source service-api.md#idempotency, service-api.md#triggers
 */
export async function acceptTriggers(
  ports: AcceptPorts,
  batch: TriggerBatch,
): Promise<readonly (TriggerResult | undefined)[]> {
  const nowMs = ports.clock.now()
  const results: (CheckedTrigger | undefined)[] = []
  for (const request of batch.requests) results.push(await checkTrigger(ports, batch, request))
  const rows = results.flatMap((one) => (one?.result.status === 'processed' ? [toTriggerRow(batch, one, nowMs)] : []))
  if (rows.length > 0) await write(ports, rows)
  return results.map((one) => one?.result)
}

/** Stores triggers with their trace contexts, so that the spans of their runs become children. */
async function write({ writer }: AcceptPorts, rows: readonly Omit<TriggerRow, 'trace'>[]): Promise<void> {
  const started = rows.map((row) => ({ row, span: startTriggerSpan(row) }))
  try {
    await writer.write(started.map(({ row, span }) => ({ ...row, trace: toStoredSpan(span) })))
  } catch (error) {
    for (const { span } of started) failSpan('TriggerNotStored', span)
    throw error
  } finally {
    for (const { span } of started) span.end()
  }
}

/** A trigger, and whether it is accepted. */
export interface CheckedTrigger {
  readonly request: TriggerRequest
  readonly result: TriggerResult
}

/**
 * Checks a trigger.
 *
 * @param batch - The kind of the trigger, and its environment.
 * @returns The result; its status is `processed` if the trigger can be stored. `undefined` for an unknown workflow.
 */
export async function checkTrigger(
  { store: { db }, lookUp }: Pick<AcceptPorts, 'store' | 'lookUp'>,
  { environmentId, kind }: Omit<TriggerBatch, 'requests'>,
  request: TriggerRequest,
): Promise<CheckedTrigger | undefined> {
  const workflow = await lookUp(environmentId, request.name)
  if (!workflow) return undefined
  const transactionId = request.transactionId ?? randomUUID()
  const reject = (status: TriggerResult['status'], error?: string): CheckedTrigger => {
    return {
      request,
      result: { acknowledged: true, status, transactionId, ...(error !== undefined && { error: [error] }) },
    }
  }
  const tenant = await findTenant(db, environmentId, request.tenant)
  if (tenant === 'unknown') return reject('no_tenant_found')
  if (!(await isActiveFor(db, workflow, tenant))) return reject('trigger_not_active')
  if (workflow.isEmpty) return reject('no_workflow_steps_defined')
  const fault = findFault(request, kind)
  if (fault !== undefined) return reject('invalid_recipients', fault)
  const faults = await checkPayload(workflow, request, environmentId)
  if (faults.length > 0) return { request, result: toPayloadRejection(request.name, transactionId, faults) }
  const result = { acknowledged: true, status: 'processed', transactionId } as const
  return { request: { ...request, transactionId }, result }
}

async function checkPayload(
  { payloadSchema }: TriggeredWorkflow,
  { payload = {} }: TriggerRequest,
  owner: string,
): Promise<readonly PayloadFault[]> {
  if (payloadSchema === null) return []
  try {
    return await findPayloadFaults({ schema: payloadSchema, value: payload, owner })
  } catch (error) {
    if (!(error instanceof UnusableSchemaError)) throw error
    return [{ field: '', message: `the payload schema is invalid: ${error.message}`, schemaPath: '#' }]
  }
}

function toPayloadRejection(name: string, transactionId: string, faults: readonly PayloadFault[]): TriggerResult {
  const messages = faults.slice(0, 5).map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
  const text = `The payload does not match the schema of ${JSON.stringify(name)}: ${messages.join('; ')}`
  return { acknowledged: true, status: 'error', transactionId, error: [text], faults }
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

/**
 * Returns the row of an accepted trigger.
 *
 * @param batch - The kind of the trigger, and its environment.
 * @param checked - The trigger.
 * @param nowMs - The time, in milliseconds since 1970.
 */
export function toTriggerRow(
  { environmentId, kind }: Omit<TriggerBatch, 'requests'>,
  { request }: CheckedTrigger,
  nowMs: number,
): Omit<TriggerRow, 'trace'> {
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
    parentJobId: null,
    createdAt: nowMs,
    updatedAt: nowMs,
  }
}
