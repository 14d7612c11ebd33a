import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError, type ApiErrorDetails, type FieldErrors } from '../../api/api-error.ts'
import { contextFields } from '../../api/context-fields.ts'
import { describeInput, filledText, jsonObject, key, pathId, text, webAddress } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { TriggerRequest, TriggerResult } from '../../engine/intake/trigger-request.ts'
import { checkFeed, feedChoices } from '../../feeds/feed-choice.ts'
import { severities } from '../../messages/severities.ts'
import { triggerResult } from '../../resources/activity/event.ts'
import { named } from '../../resources/named.ts'
import { channelField, profileFields, subscriberIdField } from '../subscribers/subscriber-fields.ts'

const maxRecipients = 100
const maxBulk = 100
const path = '/v1/events/trigger'

const subscriber = named(
  'Recipient',
  'A recipient with profile fields, which create or update the subscriber.',
  z.strictObject({
    subscriberId: subscriberIdField.describe('The subscriber id of the recipient, chosen by the caller.'),
    ...profileFields,
    channels: z
      .array(channelField)
      .max(100)
      .optional()
      .describe('Channel credentials, which are saved for the subscriber.'),
  }),
)
const topic = named(
  'TopicRecipient',
  'All subscribers of a topic.',
  z.strictObject({
    type: z.literal('Topic', 'must be Topic').describe('Marks a topic.'),
    topicKey: key().describe("The topic's key."),
    exclude: z.array(subscriberIdField).max(1000).optional().describe('Subscriber ids to exclude from the topic.'),
  }),
)
const recipient = named(
  'To',
  'One recipient: a subscriber id, a subscriber, or a topic.',
  z.union([subscriberIdField, topic, subscriber]),
)
const person = z.union([subscriberIdField, subscriber])
const tenant = named(
  'TriggerTenant',
  'A tenant of a trigger: its identifier, or an object with it. Other fields have no effect.',
  z.union([
    pathId(),
    z.strictObject({ identifier: pathId().optional(), name: text(500).optional(), data: jsonObject().optional() }),
  ]),
)

const byStep = z.looseObject({ providers: jsonObject().optional(), layoutId: z.string().nullish() })
/** Other fields are passed through, so only the known ones are described. */
const overrides = jsonObject().meta({
  id: 'TriggerOverrides',
  ...describeInput(
    z.looseObject({
      steps: z.record(z.string(), byStep).optional().describe('By step: provider fields, and the layout of an email.'),
      channels: z
        .object({ email: z.object({ layoutId: z.string().nullish() }).optional() })
        .optional()
        .describe('By channel: the layout of emails.'),
      providers: z.record(z.string(), jsonObject()).optional().describe('By provider: fields of its request.'),
      severity: z.enum(severities).optional().describe('The severity of the messages.'),
    }),
  ),
  description: 'Overrides of one trigger. Other fields are passed through.',
})

const fields = {
  name: filledText().describe("The workflow's identifier."),
  payload: jsonObject().optional().describe('The data of the trigger.'),
  overrides: overrides.optional().describe('Overrides by step, channel or provider.'),
  transactionId: filledText()
    .optional()
    .describe('Must be unique; checked while the run is processed. It does not replace the idempotency key.'),
  actor: person.nullish().describe('Who caused the notification.'),
  tenant: tenant.nullish().describe('The tenant.'),
  context: contextFields.optional().describe('Contexts by type.'),
  bridgeUrl: webAddress().optional().describe('The bridge that executes this run, instead of the stored one.'),
  agentId: filledText().nullish().describe('Accepted, but has no effect: a trigger does not call agents.'),
  controls: jsonObject().optional().describe('Control values by step id, instead of the stored ones.'),
}
const to = z.union([
  recipient,
  z
    .array(recipient)
    .min(1, 'must name a recipient')
    .max(maxRecipients, `must name at most ${maxRecipients} recipients`),
])
const trigger = named(
  'TriggerBody',
  'A trigger of a workflow.',
  z.strictObject({ ...fields, to: to.describe('Who is notified.') }),
)
const common = { category: 'events', wrapped: true, invalid: describe } as const

/** Operations that trigger workflows and cancel runs. */
export const eventOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'events.trigger',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Triggers a workflow for recipients.',
    status: 201,
    body: trigger,
    output: triggerResult,
    handler: (context, { body }) => triggerOne(context, body, 'single'),
  }),
  operation({
    ...common,
    name: 'events.triggerBulk',
    access: 'edit',
    method: 'POST',
    path: `${path}/bulk`,
    summary: 'Triggers up to 100 workflows. A failing trigger does not stop the others.',
    status: 201,
    cost: 'bulk',
    body: z.strictObject({
      events: z
        .array(trigger)
        .min(1, 'must have at least one event')
        .max(maxBulk, `must have at most ${maxBulk} events`),
    }),
    output: z.array(triggerResult),
    splits: 'events',
    async handler(context, { body }) {
      const checked: Attempt[] = []
      for (const event of body.events) checked.push(await attempt(() => toRequest(context, event)))
      const requests = checked.flatMap(({ request }) => (request ? [request] : []))
      const results = await context.engine.accept({ environmentId: context.environment.id, kind: 'bulk', requests })
      let next = 0
      return checked.map(({ request, error }) =>
        request ? toShown(results[next++] ?? failed(unknownWorkflow)) : failed(error ?? unknownWorkflow),
      )
    },
  }),
  operation({
    ...common,
    name: 'events.broadcast',
    access: 'edit',
    method: 'POST',
    path: `${path}/broadcast`,
    summary: 'Triggers a workflow for all subscribers of the environment.',
    status: 201,
    cost: 'bulk',
    body: named('BroadcastBody', 'The fields of every trigger.', z.strictObject(fields)),
    output: triggerResult,
    handler: (context, { body }) => triggerOne(context, body, 'broadcast'),
  }),
  operation({
    ...common,
    name: 'events.cancel',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{transactionId}`,
    summary: 'Cancels pending work of a transaction; returns whether there was any.',
    output: z.boolean(),
    handler: ({ engine, environment, by }, { params }) =>
      engine.cancel({ environmentId: environment.id, transactionId: String(params['transactionId']), who: by }),
  }),
])

const unknownWorkflow = 'workflow_not_found'

type Trigger = z.infer<z.ZodObject<typeof fields>> & { readonly to?: unknown }

async function triggerOne(context: CallContext, body: Trigger, kind: 'single' | 'broadcast'): Promise<TriggerResult> {
  const request = await toRequest(context, body)
  const [result] = await context.engine.accept({ environmentId: context.environment.id, kind, requests: [request] })
  if (!result) throw workflowNotFound(body.name)
  const { faults: errors, error: [message = ''] = [] } = result
  if (errors) throw new ApiError(400, message, { extra: { type: 'PAYLOAD_VALIDATION_ERROR', errors } })
  return result
}

const toShown = ({ faults: _, ...result }: TriggerResult): TriggerResult => result

async function toRequest(
  { store, environment }: CallContext,
  { controls, agentId: _, ...body }: Trigger,
): Promise<TriggerRequest> {
  if (controls !== undefined)
    throw new ApiError(422, 'controls: control values are stored with the workflow, not sent with a trigger', {
      errors: { controls: { messages: ['save them with PUT /v1/bridge/controls/{workflowId}/{stepId}'] } },
    })
  for (const choice of feedChoices(body.overrides ?? {}))
    await checkFeed(store.db, environment.id, { ...choice, field: `overrides.${choice.field}` })
  return body as TriggerRequest & { readonly payload?: JsonObject }
}

function workflowNotFound(name: string): ApiError {
  return new ApiError(422, unknownWorkflow, {
    errors: {
      name: { messages: [`the environment has no workflow ${JSON.stringify(name)}; sync its bridge`], value: name },
    },
  })
}

const failed = (error: string): TriggerResult => ({ acknowledged: true, status: 'error', error: [error] })

interface Attempt {
  readonly request?: TriggerRequest
  readonly error?: string
}

async function attempt(make: () => Promise<TriggerRequest>): Promise<Attempt> {
  try {
    return { request: await make() }
  } catch (error) {
    if (error instanceof ApiError) return { error: error.message }
    throw error
  }
}

/** Typed clients read the type of a rejected trigger from the field `type`. */
function describe(errors: Readonly<Record<string, FieldErrors>>): ApiErrorDetails {
  return { errors, extra: { type: 'VALIDATION_ERROR' } }
}
