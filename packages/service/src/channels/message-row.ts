import type { Vault } from '../secrets/vault.ts'
import { blankMessage } from '../store/blank-rows.ts'
import type { MessageRow } from '../store/schema/message.ts'
import type { Delivery, Draft } from './base/delivery.ts'
import { toStorable } from './base/storable.ts'
import type { Destination } from './provider/destinations.ts'
import { type FallbackDelivery, sealDelivery } from './sealed-delivery.ts'

/** The columns of a message's row, besides its draft. */
export interface RowInput {
  readonly id: string
  readonly delivery: Delivery
  readonly destination: Destination
  /** The same message for other integrations. @default none */
  readonly fallbacks?: readonly FallbackDelivery[]
  /** Encrypts pending messages. */
  readonly vault: Vault
}

/**
 * Returns the row of a message.
 *
 * @param draft - The message in the format of its provider.
 * @param input - The delivery and its destination.
 */
export function toRow(draft: Draft, { id, delivery, destination, fallbacks = [], vault }: RowInput): MessageRow {
  const { run, job, subscriber, environmentId, nowMs } = delivery
  const { attachments: _attachments, ...payload } = run.payload
  const { problem, outgoing } = draft
  const waits = !problem && outgoing !== undefined && destination.sender !== 'none'
  const texts = Object.entries(draft.columns).map(([name, value]) => [
    name,
    typeof value === 'string' ? toStorable(value) : value,
  ])
  return {
    ...blankMessage,
    id,
    environmentId,
    dedupeKey: [
      job.id,
      destination.integrationId ?? '',
      ...(destination.part === undefined ? [] : [destination.part]),
    ].join(':'),
    runId: run.id,
    jobId: job.id,
    workflowId: run.workflowId,
    workflowIdentifier: run.workflowIdentifier,
    subscriberId: subscriber._id,
    transactionId: run.transactionId,
    channel: job.type,
    providerId: destination.providerId,
    integrationId: destination.integrationId ?? null,
    status: problem?.status ?? (waits ? 'pending' : 'sent'),
    errorId: problem?.code ?? null,
    errorText: problem ? toStorable(problem.message) : null,
    payload: JSON.stringify(payload),
    overrides: JSON.stringify(run.overrides),
    data: null,
    tags: JSON.stringify(run.tags),
    severity: run.severity,
    critical: run.critical ? 1 : 0,
    contextKeys: JSON.stringify(run.contextKeys),
    deliveredAt: JSON.stringify(problem || waits ? [] : [nowMs]),
    delivery: waits ? sealDelivery({ outgoing, credentials: destination.credentials, fallbacks }, vault, id) : null,
    createdAt: nowMs,
    updatedAt: nowMs,
    ...Object.fromEntries(texts),
  }
}
