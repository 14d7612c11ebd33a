import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { queryText } from '../../api/input.ts'
import { queryChoice } from '../../api/query-fields.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { webhookDelivery } from '../../resources/webhook.ts'
import type { WebhookDeliveryRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import { queueWebhook } from '../../webhooks/queue-webhook.ts'
import { toDelivery } from './delivery-row.ts'
import { findEndpoint } from './endpoint-row.ts'

const common = { category: 'global', wrapped: true, output: webhookDelivery } as const
const path = '/v1/webhook-endpoints/{endpointId}/deliveries'

/** The operations on deliveries to webhook endpoints. */
export const webhookDeliveryOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'webhookEndpoints.listDeliveries',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the deliveries to a webhook endpoint, newest first.',
    wrapped: false,
    query: z.strictObject({
      ...cursorFields(['createdAt']),
      status: queryChoice(['pending', 'delivered', 'failed']),
      eventType: queryText(),
    }),
    output: cursorPageOf(webhookDelivery),
    async handler(context, { params, query }) {
      const { id } = await findEndpoint(context.store.db, context, String(params['endpointId']))
      const where = [sql`"endpointId" = ${id}`]
      if (query.status !== undefined) where.push(sql`"status" = ${query.status}`)
      if (query.eventType !== undefined) where.push(sql`"eventType" = ${query.eventType}`)
      const order = { createdAt: sql`"createdAt"` }
      const source = { from: sql`"webhookDeliveries"`, select: sql`*`, where, id: sql`"id"`, order }
      const page = await readCursorPage<WebhookDeliveryRow>(context.store.db, source, {
        ...query,
        orderBy: 'createdAt',
      })
      return { ...page, data: page.data.map(toDelivery) }
    },
  }),
  operation({
    ...common,
    name: 'webhookEndpoints.getDelivery',
    access: 'view',
    method: 'GET',
    path: `${path}/{deliveryId}`,
    summary: 'Returns a delivery to a webhook endpoint with its attempts.',
    handler: async (context, { params }) => toDelivery(await find(context.store.db, context, params)),
  }),
  operation({
    ...common,
    name: 'webhookEndpoints.resendDelivery',
    access: 'edit',
    method: 'POST',
    path: `${path}/{deliveryId}/resend`,
    summary: 'Sends a delivery again, with the same event id.',
    status: 202,
    handler: (context, { params }) => resend(context, params),
  }),
])

type Params = Readonly<Record<string, string>>

function resend(context: CallContext, params: Params): Promise<unknown> {
  const { store, queue, clock } = context
  return store.transaction(async (tx) => {
    const { id } = await find(tx, context, params)
    const endpoint = await findEndpoint(tx, context, String(params['endpointId']))
    if (endpoint.active === 0) throw new ApiError(409, 'The webhook endpoint is disabled. Activate it first.')
    const row = await tx
      .updateTable('webhookDeliveries')
      .set({ status: 'pending', reason: null, attempts: 0, nextAt: clock.now(), settledAt: null })
      .where('id', '=', id)
      .where('status', '!=', 'pending')
      .returningAll()
      .executeTakeFirst()
    if (!row) throw new ApiError(409, 'The delivery is pending. It is sent again automatically.')
    await queueWebhook(tx, queue, { deliveries: [row] })
    return toDelivery(row)
  })
}

async function find(db: Session, context: CallContext, params: Params): Promise<WebhookDeliveryRow> {
  const id = String(params['deliveryId'])
  const endpoint = await findEndpoint(db, context, String(params['endpointId']))
  const row = await db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('id', '=', id)
    .where('endpointId', '=', endpoint.id)
    .executeTakeFirst()
  if (!row) throw notFound('Delivery', id)
  return row
}
