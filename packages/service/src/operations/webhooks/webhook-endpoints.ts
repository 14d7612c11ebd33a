import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { text, webAddress } from '../../api/input.ts'
import { removeDeletedRows } from '../../background/deleted-rows.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { messageEvents, runEvents } from '../../engine/port/event-port.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { webhookDelivery, webhookEndpoint, webhookEndpointSecret } from '../../resources/webhook.ts'
import { createId } from '../../store/create-id.ts'
import type { WebhookEndpointRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import { openSecrets, rotateSecret } from '../../webhooks/endpoint-secrets.ts'
import { toDeliveries } from '../../webhooks/event-recorder.ts'
import { queueWebhook } from '../../webhooks/queue-webhook.ts'
import { toDelivery } from './delivery-row.ts'
import { checkCount, checkUrl, findEndpoint, toEndpoint } from './endpoint-row.ts'

const common = { category: 'global', wrapped: true, output: webhookEndpoint } as const
const path = '/v1/webhook-endpoints'
const order = { createdAt: 'createdAt', updatedAt: 'updatedAt' } as const
const eventTypes = [...messageEvents, ...runEvents]
const hiddenSecret = '******'

const fields = {
  url: webAddress(2000).describe('The URL that receives events.'),
  description: text(500).optional().describe('The purpose.'),
  eventTypes: z
    .array(z.enum(eventTypes, `must be one of ${eventTypes.join(', ')}`))
    .max(eventTypes.length)
    .optional()
    .describe('The event types to receive; all if empty or absent.'),
  active: z.boolean('must be true or false').optional().describe('Whether it receives events.'),
}
const newEndpoint = z.strictObject(fields)
const changedEndpoint = z.strictObject({ ...fields, url: fields.url.optional() })

const hideSecret = (result: unknown): unknown => ({ ...(result as object), secret: hiddenSecret })

/** The operations on URLs that receive events. */
export const webhookEndpointOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'webhookEndpoints.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the webhook endpoints.',
    wrapped: false,
    query: z.strictObject(cursorFields(Object.keys(order))),
    output: cursorPageOf(webhookEndpoint),
    async handler(context, { query }) {
      const where = [sql`"environmentId" = ${context.environment.id}`]
      const columns = Object.fromEntries(Object.entries(order).map(([field, column]) => [field, sql.ref(column)]))
      const source = { from: sql`"webhookEndpoints"`, select: sql`*`, where, id: sql`"id"`, order: columns }
      const page = await readCursorPage<WebhookEndpointRow>(context.store.db, source, query)
      return { ...page, data: page.data.map((row) => toEndpoint(row, context)) }
    },
  }),
  operation({
    ...common,
    name: 'webhookEndpoints.create',
    access: 'administer',
    method: 'POST',
    path,
    summary: 'Adds a webhook endpoint, and returns its secret once.',
    status: 201,
    body: newEndpoint,
    output: webhookEndpointSecret,
    hideSecret,
    handler: (context, { body }) => create(context, body),
  }),
  operation({
    ...common,
    name: 'webhookEndpoints.get',
    access: 'view',
    method: 'GET',
    path: `${path}/{endpointId}`,
    summary: 'Returns a webhook endpoint.',
    handler: async (context, { params }) =>
      toEndpoint(await findEndpoint(context.store.db, context, String(params['endpointId'])), context),
  }),
  operation({
    ...common,
    name: 'webhookEndpoints.update',
    access: 'administer',
    method: 'PATCH',
    path: `${path}/{endpointId}`,
    summary: 'Changes a webhook endpoint. Activating it also clears the failure that disabled it.',
    body: changedEndpoint,
    handler: (context, { params, body }) => update(context, String(params['endpointId']), body),
  }),
  operation({
    ...common,
    name: 'webhookEndpoints.delete',
    access: 'administer',
    method: 'DELETE',
    path: `${path}/{endpointId}`,
    summary: 'Deletes a webhook endpoint with its deliveries.',
    wrapped: false,
    status: 204,
    handler: (context, { params }) =>
      change(context, String(params['endpointId']), async (tx, { id }) => {
        await tx.deleteFrom('webhookEndpoints').where('id', '=', id).execute()
        await removeDeletedRows(tx, context, { of: 'endpoint', endpointId: id })
      }),
  }),
  operation({
    ...common,
    name: 'webhookEndpoints.rotateSecret',
    access: 'administer',
    method: 'POST',
    path: `${path}/{endpointId}/rotate-secret`,
    summary: 'Creates a new secret and returns it once. The previous one signs for another 24 hours.',
    body: z.strictObject({
      endNow: z.boolean('must be true or false').optional().describe('Whether to revoke the previous secret now.'),
    }),
    output: webhookEndpointSecret,
    hideSecret,
    handler: (context, { params, body }) => rotate(context, String(params['endpointId']), body.endNow === true),
  }),
  operation({
    ...common,
    name: 'webhookEndpoints.test',
    access: 'edit',
    method: 'POST',
    path: `${path}/{endpointId}/test`,
    summary: 'Sends a webhook.test event to a webhook endpoint, even if it does not subscribe to that type.',
    status: 202,
    output: webhookDelivery,
    handler: (context, { params }) => sendTest(context, String(params['endpointId'])),
  }),
])

async function create(context: CallContext, body: z.infer<typeof newEndpoint>): Promise<unknown> {
  const { store, vault, clock, environment } = context
  await checkUrl(context, body.url)
  const nowMs = clock.now()
  const id = createId(nowMs)
  const { secret, sealed } = rotateSecret(vault, id, { previous: undefined, nowMs })
  const row: WebhookEndpointRow = {
    ...{ id, environmentId: environment.id, url: body.url, description: body.description ?? '' },
    ...{ eventTypes: JSON.stringify([...new Set(body.eventTypes)]), active: body.active === false ? 0 : 1 },
    ...{ secrets: sealed, disabledReason: null, failingSince: null, lastFailedAt: null },
    ...{ createdAt: nowMs, updatedAt: nowMs },
  }
  await store.serializable(async (tx) => {
    await checkCount(tx, context)
    await tx.insertInto('webhookEndpoints').values(row).execute()
  })
  context.events.forget(environment.id)
  return { ...toEndpoint(row, context), secret }
}

async function update(context: CallContext, id: string, body: z.infer<typeof changedEndpoint>): Promise<unknown> {
  const { url, description, eventTypes: types, active } = body
  if (url !== undefined) await checkUrl(context, url)
  return change(context, id, async (tx, row) => {
    const next: WebhookEndpointRow = {
      ...row,
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(types && { eventTypes: JSON.stringify([...new Set(types)]) }),
      ...(active !== undefined && { active: active ? 1 : 0 }),
      ...(active && row.active === 0 && { disabledReason: null, failingSince: null }),
      ...(url !== undefined && url !== row.url && { failingSince: null }),
      updatedAt: context.clock.now(),
    }
    await tx.updateTable('webhookEndpoints').set(next).where('id', '=', id).execute()
    return toEndpoint(next, context)
  })
}

function rotate(context: CallContext, id: string, endNow: boolean): Promise<unknown> {
  const { vault, clock } = context
  return change(context, id, async (tx, row) => {
    const nowMs = clock.now()
    const previous = endNow ? undefined : openSecrets(vault, row, nowMs)[0]
    const { secret, sealed } = rotateSecret(vault, id, { previous, nowMs })
    const next = { ...row, secrets: sealed, updatedAt: nowMs }
    await tx.updateTable('webhookEndpoints').set(next).where('id', '=', id).execute()
    return { ...toEndpoint(next, context), secret }
  })
}

function sendTest(context: CallContext, id: string): Promise<unknown> {
  const { store, queue, clock, environment } = context
  return store.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx, context, id)
    if (endpoint.active === 0) throw new ApiError(409, 'The endpoint is disabled. Enable it first.')
    const event = { environmentId: environment.id, type: 'webhook.test', nowMs: clock.now() }
    const rows = toDeliveries(event, { message: 'This is a test event.', endpointId: id }, [endpoint.id])
    await tx.insertInto('webhookDeliveries').values(rows).execute()
    await queueWebhook(tx, queue, { deliveries: rows })
    return rows.map(toDelivery)[0]
  })
}

/** Changes an endpoint that is locked against deliveries, which also write its row. */
async function change<TResult>(
  context: CallContext,
  id: string,
  edit: (tx: Session, row: WebhookEndpointRow) => Promise<TResult>,
): Promise<TResult> {
  const { store, events, environment } = context
  const result = await store.serializable(async (tx) => edit(tx, await findEndpoint(tx, context, id)))
  events.forget(environment.id)
  return result
}
