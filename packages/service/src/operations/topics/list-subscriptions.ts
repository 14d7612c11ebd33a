import type { JsonObject } from '@trestle/protocol'
import { type RawBuilder, sql } from 'kysely'
import { type CursorPage, type CursorQuery, readCursorPage } from '../../api/cursor-page.ts'
import type { TopicSubscriptionRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import { toSubscription } from './subscription-view.ts'

/** Sort fields of subscriptions. */
export const subscriptionOrder = ['_id', 'createdAt', 'updatedAt'] as const

type Joined = TopicSubscriptionRow & {
  readonly topicKey: string
  readonly topicName: string | null
  readonly topicData: string | null
  readonly externalId: string
  readonly avatar: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
}

/**
 * Returns one page of subscriptions.
 *
 * @param where - Conditions on `s` (subscriptions), `t` (topics) and `u` (subscribers).
 * @param query - Filters and cursor; `contextKeys` excludes subscriptions of other contexts.
 */
export async function listSubscriptions(
  db: Session,
  where: readonly RawBuilder<unknown>[],
  query: CursorQuery & { readonly contextKeys?: readonly string[] | undefined },
): Promise<CursorPage<JsonObject>> {
  const keys = query.contextKeys?.toSorted()
  const conditions = keys ? [...where, sql`s."contextKeys" = ${JSON.stringify(keys)}`] : where
  const page = await readCursorPage<Joined>(
    db,
    {
      from: sql`"topicSubscriptions" s join "topics" t on t."id" = s."topicId" join "subscribers" u on u."id" = s."subscriberId"`,
      select: sql`s.*, t."key" as "topicKey", t."name" as "topicName", t."data" as "topicData",
        u."subscriberId" as "externalId", u."avatar", u."firstName", u."lastName", u."email"`,
      where: conditions,
      id: sql`s."id"`,
      order: { createdAt: sql`s."createdAt"`, updatedAt: sql`s."updatedAt"` },
    },
    query,
  )
  const data = page.data.map((row) =>
    toSubscription(row, {
      topic: { id: row.topicId, key: row.topicKey, name: row.topicName, data: row.topicData },
      subscriber: { ...row, id: row.subscriberId, subscriberId: row.externalId },
    }),
  )
  return { ...page, data }
}
