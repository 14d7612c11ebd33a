import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import { filledText } from '../../api/input.ts'
import { removeDeletedRows } from '../../background/deleted-rows.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { feed } from '../../resources/environment.ts'
import { createId } from '../../store/create-id.ts'
import type { FeedRow } from '../../store/schema/message.ts'
import type { Session } from '../../store/store.ts'

const common = { category: 'global', wrapped: true } as const
const path = '/v1/feeds'

/** Operations on feeds of in-app messages. @source service-api.md#feed */
export const feedOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'feeds.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the feeds.',
    output: z.array(feed),
    handler: (context) => list(context.store.db, context),
  }),
  operation({
    ...common,
    name: 'feeds.create',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Creates a feed.',
    status: 201,
    body: z.strictObject({ name: filledText() }),
    output: feed,
    async handler(context, { body: { name } }) {
      const nowMs = context.clock.now()
      const identifier = name
        .toLowerCase()
        .trim()
        .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      const row: FeedRow = {
        id: createId(nowMs),
        environmentId: context.environment.id,
        name,
        identifier,
        createdAt: nowMs,
      }
      await context.store.serializable(async (tx) => {
        const other = await findByIdentifier(tx, row)
        if (other)
          throw new ApiError(
            409,
            `Feed ${JSON.stringify(other.name)} already exists, with the identifier ${identifier}.`,
          )
        await tx.insertInto('feeds').values(row).execute()
      })
      return toFeed(row, context)
    },
  }),
  operation({
    ...common,
    name: 'feeds.delete',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{feedId}`,
    summary: 'Deletes a feed and returns the remaining ones. Its messages stay.',
    output: z.array(feed),
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const id = String(params['feedId'])
        const { numDeletedRows } = await tx
          .deleteFrom('feeds')
          .where('environmentId', '=', context.environment.id)
          .where('id', '=', id)
          .executeTakeFirst()
        if (numDeletedRows === 0n) throw notFound('Feed', id)
        await removeDeletedRows(tx, context, { of: 'feed', feedId: id })
        return list(tx, context)
      }),
  }),
])

function findByIdentifier(db: Session, { environmentId, identifier }: FeedRow): Promise<FeedRow | undefined> {
  return db
    .selectFrom('feeds')
    .selectAll()
    .where('environmentId', '=', environmentId)
    .where('identifier', '=', identifier)
    .executeTakeFirst()
}

async function list(db: Session, context: CallContext): Promise<readonly JsonObject[]> {
  const rows = await db
    .selectFrom('feeds')
    .selectAll()
    .where('environmentId', '=', context.environment.id)
    .orderBy('id')
    .execute()
  return rows.map((row) => toFeed(row, context))
}

function toFeed({ id, name, identifier, environmentId }: FeedRow, { organizationId }: CallContext): JsonObject {
  return { _id: id, name, identifier, _environmentId: environmentId, _organizationId: organizationId }
}
