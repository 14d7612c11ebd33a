import { z } from 'zod'
import { jsonRecord } from './json-record.ts'
import { named } from './named.ts'

const endpointFields = {
  _id: z.string().describe('The id, assigned by the service.'),
  _environmentId: z.string().describe('The environment.'),
  _organizationId: z.string().describe('The organization.'),
  url: z.string().describe('The URL that receives events.'),
  description: z.string().describe('The purpose.'),
  eventTypes: z.array(z.string()).describe('The event types it receives; empty for all.'),
  active: z.boolean().describe('Whether it receives events.'),
  disabledReason: z.string().optional().describe('Why the service disabled it.'),
  failingSince: z.string().optional().describe('When the current series of failed attempts started.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
}

export const webhookEndpoint: z.ZodType = named('WebhookEndpoint', 'A URL that receives events.', endpointFields)

export const webhookEndpointSecret: z.ZodType = named(
  'WebhookEndpointSecret',
  'A URL that receives events, with its new secret.',
  { ...endpointFields, secret: z.string().describe('The secret that signs its events. It is shown once.') },
)

const attempt = z.object({
  at: z.string().describe('When it started.'),
  durationMs: z.number().describe('How long it took, in milliseconds.'),
  status: z.number().optional().describe('The status of the answer.'),
  response: z.string().optional().describe('The start of the answer.'),
  reason: z.string().optional().describe('Why it failed.'),
})

export const webhookDelivery: z.ZodType = named('WebhookDelivery', 'The delivery of an event to an endpoint.', {
  _id: z.string().describe('The id, assigned by the service.'),
  _endpointId: z.string().describe('The endpoint.'),
  eventId: z.string().describe('The id of the event: the header `webhook-id`.'),
  eventType: z.string().describe('The type of the event.'),
  status: z.enum(['pending', 'delivered', 'failed']).describe('The status.'),
  reason: z.string().optional().describe('Why it is not delivered.'),
  attempts: z.array(attempt).describe('The latest attempts, oldest first.'),
  payload: jsonRecord.describe('The body of the request.'),
  nextAt: z.string().optional().describe('When the next attempt is due.'),
  createdAt: z.string().describe('When the event happened.'),
  settledAt: z.string().optional().describe('When the delivery ended.'),
})
