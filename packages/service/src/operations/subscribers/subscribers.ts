import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { queryFlag, queryText } from '../../api/input.ts'
import { type AnyOperation, operation, reply } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { named } from '../../resources/named.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { subscriber } from '../../resources/subscriber.ts'
import { holdsAnyCase } from '../../store/holds.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import { storeSubscriber } from './store-subscriber.ts'
import { profileFields, subscriberIdField } from './subscriber-fields.ts'
import { subscriberOperationsOf } from './subscriber-operations.ts'
import { toSubscriber } from './subscriber-view.ts'

const body = named(
  'NewSubscriber',
  'A new subscriber.',
  z.strictObject({
    subscriberId: subscriberIdField.describe('The subscriber id, chosen by the caller.'),
    ...profileFields,
  }),
)
const common = { category: 'configuration', wrapped: false } as const
const path = '/v2/subscribers'

const order = Object.fromEntries(
  Object.entries({
    _id: 'id',
    id: 'id',
    createdAt: 'createdAt',
    updatedAt: 'updatedAt',
    subscriberId: 'subscriberId',
  }).map(([field, column]) => [field, sql.ref(column)]),
)

/** Operations (v2) on subscribers. */
export const subscriberOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'subscribers.search',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists subscribers.',
    query: z.strictObject({
      ...cursorFields(Object.keys(order)),
      email: queryText(),
      name: queryText(),
      phone: queryText(),
      subscriberId: queryText(),
    }),
    output: cursorPageOf(subscriber),
    async handler({ store, environment, organizationId }, { query }) {
      const where = [sql`"environmentId" = ${environment.id}`]
      const { email, name, phone, subscriberId } = query
      if (email !== undefined) where.push(sql`lower("email") = lower(${email})`)
      if (phone !== undefined) where.push(sql`"phone" = ${phone}`)
      if (subscriberId !== undefined) where.push(sql`"subscriberId" = ${subscriberId}`)
      if (name !== undefined)
        where.push(holdsAnyCase(sql`(coalesce("firstName", '') || ' ' || coalesce("lastName", ''))`, name))
      const source = {
        from: sql`"subscribers"`,
        select: sql`*`,
        where,
        id: sql`"id"`,
        order,
      }
      const page = await readCursorPage<SubscriberRow>(store.db, source, query)
      return { ...page, data: page.data.map((row) => toSubscriber(row, organizationId)) }
    },
  }),
  operation({
    ...common,
    name: 'subscribers.create',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Creates a subscriber, or updates the one with the same identifier.',
    status: 201,
    query: z.strictObject({ failIfExists: queryFlag() }),
    body,
    output: subscriber,
    handler: (context, input) => create(context, input.body, input.query.failIfExists === true),
  }),
  ...subscriberOperationsOf({
    path,
    wrapped: false,
    names: { get: 'subscribers.get', change: 'subscribers.patch', remove: 'subscribers.delete' },
    change: { method: 'PATCH', hasChannels: false },
  }),
])

function create(context: CallContext, given: z.infer<typeof body>, failIfExists: boolean): Promise<unknown> {
  return context.store.repeatable(async (tx) => {
    if (failIfExists) {
      const held = await tx
        .selectFrom('subscribers')
        .selectAll()
        .where('environmentId', '=', context.environment.id)
        .where('subscriberId', '=', given.subscriberId)
        .executeTakeFirst()
      if (held)
        throw new ApiError(409, `Subscriber ${JSON.stringify(given.subscriberId)} already exists.`, {
          extra: toSubscriber(held, context.organizationId),
        })
    }
    const { row } = await storeSubscriber(tx, context, given)
    return reply(201, toSubscriber(row, context.organizationId))
  })
}
