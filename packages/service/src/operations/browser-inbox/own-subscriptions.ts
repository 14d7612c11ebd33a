import type { JsonObject } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import { pathId, text } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { allowsTopic } from '../../inbox/inbox-settings.ts'
import { subscriptionDetails } from '../../resources/topic.ts'
import type { Session } from '../../store/store.ts'
import { listSubscriptions } from '../topics/list-subscriptions.ts'
import { subscribe } from '../topics/store-subscription.ts'
import { toSubscription } from '../topics/subscription-view.ts'
import { findTopic } from '../topics/topic-row.ts'
import { ownSubscriber } from './for-subscriber.ts'

const path = '/v1/inbox/topics/{topicKey}/subscriptions'
const one = `${path}/{identifier}`
const max = 100
/** The maximum number of subscriptions to a topic that a subscriber can add. */
const maxOfTopic = 10
const common = { category: 'configuration', wrapped: true, forSubscriber: true, output: subscriptionDetails } as const

type Params = Readonly<Record<string, string>>

/** Operations on the session subscriber's own topic subscriptions. */
export const ownSubscriptionOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'ownInbox.listSubscriptions',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the subscriptions of the subscriber to a topic',
    output: z.array(subscriptionDetails),
    handler: (context, { params }) => list(context.store.db, context, params),
  }),
  operation({
    ...common,
    name: 'ownInbox.getSubscription',
    access: 'view',
    method: 'GET',
    path: one,
    summary: 'Returns a subscription of the subscriber to a topic',
    handler: (context, { params }) => find(context.store.db, context, params),
  }),
  operation({
    ...common,
    name: 'ownInbox.subscribe',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Subscribes the subscriber to a topic that the settings of the environment allow',
    status: 201,
    body: z.strictObject({ identifier: pathId().optional(), name: text(500).optional() }),
    async handler(context, { params: { topicKey = '' }, body }) {
      if (!allowsTopic(context.environment, topicKey))
        throw new ApiError(
          403,
          `Subscribers may not subscribe to the topic ${JSON.stringify(topicKey)}. Add its key to inbox.topics of the environment.`,
        )
      return context.store.transaction(async (tx) => {
        const topic = await findTopic(tx, context, topicKey)
        const { id, subscriberId } = ownSubscriber(context)
        const wanted = [{ ...body, subscriberId }]
        const { stored, failed } = await subscribe(tx, context, { topic, wanted })
        const [first] = stored
        if (!first) throw new ApiError(400, failed[0]?.message ?? 'The subscription was not stored.')
        await refuseTooMany(tx, { topicId: topic.id, subscriberId: id })
        return toOwn(toSubscription(first.row, { topic, subscriber: first.subscriber }))
      })
    },
  }),
  operation({
    ...common,
    name: 'ownInbox.updateSubscription',
    access: 'edit',
    method: 'PATCH',
    path: one,
    summary: 'Changes the name of a subscription of the subscriber',
    body: z.strictObject({ name: text(500).optional() }),
    handler: (context, { params, body: { name } }) =>
      context.store.transaction(async (tx) => {
        const { id } = await find(tx, context, params)
        const set = { updatedAt: context.clock.now(), ...(name === undefined ? {} : { name }) }
        await tx.updateTable('topicSubscriptions').set(set).where('id', '=', String(id)).execute()
        return find(tx, context, params)
      }),
  }),
  operation({
    ...common,
    name: 'ownInbox.unsubscribe',
    access: 'edit',
    method: 'DELETE',
    path: one,
    summary: 'Ends a subscription of the subscriber',
    status: 204,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const { id } = await find(tx, context, params)
        await tx.deleteFrom('topicSubscriptions').where('id', '=', String(id)).execute()
      }),
  }),
])

/** Each subscription is read by every trigger of the topic, and a subscriber chooses the identifiers. */
async function refuseTooMany(
  tx: Session,
  { topicId, subscriberId }: { readonly topicId: string; readonly subscriberId: string },
): Promise<void> {
  const rows = await tx
    .selectFrom('topicSubscriptions')
    .select('id')
    .where('topicId', '=', topicId)
    .where('subscriberId', '=', subscriberId)
    .limit(maxOfTopic + 1)
    .execute()
  if (rows.length > maxOfTopic)
    throw new ApiError(409, `A subscriber can have at most ${maxOfTopic} subscriptions to a topic. Remove one first.`)
}

const toOwn = (subscription: JsonObject): JsonObject => ({ id: subscription['_id'], ...subscription })

async function list(db: Session, context: CallContext, params: Params): Promise<readonly JsonObject[]> {
  const { topicKey = '', identifier } = params
  const where = [
    sql`s."environmentId" = ${context.environment.id}`,
    sql`s."subscriberId" = ${ownSubscriber(context).id}`,
    sql`t."key" = ${topicKey}`,
    ...(identifier === undefined ? [] : [sql`s."identifier" = ${identifier}`]),
  ]
  const page = await listSubscriptions(db, where, { limit: max, orderDirection: 'DESC' })
  return page.data.map(toOwn)
}

async function find(db: Session, context: CallContext, params: Params): Promise<JsonObject> {
  const [subscription] = await list(db, context, params)
  if (!subscription) throw notFound('Subscription', params['identifier'] ?? '')
  return subscription
}
