import type { JsonObject, MessageType } from '@trestle/protocol'
import type { ContentSource } from '../engine/port/channel-port.ts'
import { compact, toObject, toObjects } from '../json/json.ts'
import type { JobRow } from '../store/schema/run.ts'
import type { SubscriberRow } from '../store/schema/subscriber.ts'
import type { Delivery, DeliverySubscriber } from './base/delivery.ts'

/** The rows of a message, and its outputs. */
export interface DeliveryRows extends Omit<ContentSource, 'step'> {
  readonly job: Pick<JobRow, 'id' | 'stepId' | 'type'>
}

/** Parses the stored texts of a delivery. */
export function toDelivery({ run, job, subscriber, outputs, providers, nowMs }: DeliveryRows): Delivery {
  const tenant = run.tenant === null ? undefined : toObject(JSON.parse(run.tenant))
  return {
    environmentId: run.environmentId,
    run: {
      id: run.id,
      transactionId: run.transactionId,
      workflowId: run.workflowId,
      workflowIdentifier: run.workflowIdentifier,
      payload: toObject(JSON.parse(run.payload)),
      overrides: toObject(JSON.parse(run.overrides)),
      ...(tenant ? { tenant } : {}),
      contextKeys: toTexts(run.contextKeys),
      tags: toTexts(run.tags),
      severity: run.severity,
      critical: run.critical === 1,
    },
    // The engine only calls this for steps that send a message.
    job: { id: job.id, stepId: job.stepId, type: job.type as MessageType },
    subscriber: toSubscriber(subscriber),
    outputs,
    providers,
    nowMs,
  }
}

function toSubscriber({ id, data, channels, isOnline, ...row }: SubscriberRow): DeliverySubscriber {
  const { subscriberId, firstName, lastName, email, phone, avatar, locale, timezone } = row
  const list: unknown = JSON.parse(channels)
  const subscriberChannels = toObjects(list)
  return {
    ...compact({ firstName, lastName, avatar, timezone, isOnline: isOnline === null ? undefined : isOnline === 1 }),
    ...(data === null ? {} : { data: JSON.parse(data) as JsonObject }),
    _id: id,
    subscriberId,
    email,
    phone,
    locale,
    channels: subscriberChannels.map(({ providerId, _integrationId, integrationIdentifier, credentials }) => ({
      providerId: String(providerId),
      _integrationId: typeof _integrationId === 'string' ? _integrationId : null,
      integrationIdentifier: typeof integrationIdentifier === 'string' ? integrationIdentifier : null,
      credentials: toObject(credentials),
    })),
  }
}

function toTexts(text: string): readonly string[] {
  const list: unknown = JSON.parse(text)
  return Array.isArray(list) ? list.map(String) : []
}
