import type { JsonObject } from '@trestle/protocol'
import type { EngineEvent } from '../engine/port/event-port.ts'
import { compact } from '../json/json.ts'
import type { Session } from '../store/store.ts'

/** The data of an event. */
export interface EventData {
  /** The data that webhooks receive: identifiers and status, without message content. */
  readonly data: JsonObject
  /** The stored trace context of the run. */
  readonly trace: string | null
}

/**
 * Returns the data of an event.
 *
 * @param tx - The transaction of the change.
 * @returns The data; `undefined` if the run or the message does not exist.
 */
export async function loadEventData(tx: Session, { type, subjectId }: EngineEvent): Promise<EventData | undefined> {
  return type.startsWith('run.') ? loadRun(tx, subjectId) : loadMessage(tx, subjectId)
}

async function loadRun(tx: Session, id: string): Promise<EventData | undefined> {
  const row = await tx
    .selectFrom('runs')
    .select(['id', 'transactionId', 'workflowIdentifier', 'externalSubscriberId', 'status', 'createdAt', 'finishedAt'])
    .select('trace')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const data = {
    id: row.id,
    transactionId: row.transactionId,
    workflowId: row.workflowIdentifier,
    subscriberId: row.externalSubscriberId,
    status: row.status,
    createdAt: new Date(row.createdAt).toISOString(),
    ...(row.finishedAt === null ? {} : { finishedAt: new Date(row.finishedAt).toISOString() }),
  }
  return { data, trace: row.trace }
}

async function loadMessage(tx: Session, id: string): Promise<EventData | undefined> {
  const row = await tx
    .selectFrom('messages as message')
    .innerJoin('jobs as job', 'job.id', 'message.jobId')
    .innerJoin('runs as run', 'run.id', 'message.runId')
    .leftJoin('integrations as integration', 'integration.id', 'message.integrationId')
    .select(['message.id', 'message.runId', 'message.transactionId', 'message.workflowIdentifier', 'message.channel'])
    .select(['message.providerId', 'message.providerMessageId', 'message.status', 'message.errorId'])
    .select(['message.errorText', 'job.stepId', 'run.externalSubscriberId', 'run.trace', 'integration.identifier'])
    .where('message.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const data = compact({
    id: row.id,
    runId: row.runId,
    transactionId: row.transactionId,
    workflowId: row.workflowIdentifier,
    stepId: row.stepId,
    subscriberId: row.externalSubscriberId,
    channel: row.channel,
    status: row.status,
    providerId: row.providerId ?? undefined,
    integrationIdentifier: row.identifier ?? undefined,
    providerMessageId: row.providerMessageId ?? undefined,
    error: row.errorId === null ? undefined : { code: row.errorId, message: row.errorText },
  })
  return { data, trace: row.trace }
}
