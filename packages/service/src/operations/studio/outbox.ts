import { type JsonObject, messageTypes } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { notFound } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { queryFlag, queryText } from '../../api/input.ts'
import { queryChoice } from '../../api/query-fields.ts'
import { removeDeletedRows } from '../../background/deleted-rows.ts'
import { type Hide, loadHide } from '../../context/hide-secrets.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { outboxItem } from '../../resources/studio/outbox.ts'
import type { OutboxRow } from '../../store/schema/message.ts'
import type { Session } from '../../store/store.ts'

const common = { category: 'global', wrapped: false, output: outboxItem } as const
const path = '/v1/studio/outbox'

/** Operations on the outbox: messages without a delivering integration, as they would have been sent. */
export const outboxOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.outboxList',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the messages of the outbox, newest first',
    query: z.strictObject({
      ...cursorFields(['createdAt']),
      channel: queryChoice(messageTypes),
      recipient: queryText(),
      transactionId: queryText(),
      read: queryFlag(),
    }),
    output: cursorPageOf(outboxItem),
    async handler(context, { query }) {
      const { store, environment } = context
      const { channel, recipient, transactionId, read } = query
      const isUnread = sql`"outbox"."readAt" is ${sql.raw(read ? 'not null' : 'null')}`
      const page = await readCursorPage<OutboxRow & { readonly transactionId: string }>(
        store.db,
        {
          from: sql`"outbox" join "messages" on "messages"."id" = "outbox"."messageId"`,
          select: sql`"outbox".*, "messages"."transactionId"`,
          where: [
            sql`"outbox"."environmentId" = ${environment.id}`,
            ...(channel === undefined ? [] : [sql`"outbox"."channel" = ${channel}`]),
            ...(recipient === undefined ? [] : [sql`"outbox"."recipient" = ${recipient}`]),
            ...(transactionId === undefined ? [] : [sql`"messages"."transactionId" = ${transactionId}`]),
            ...(read === undefined ? [] : [isUnread]),
          ],
          id: sql`"outbox"."id"`,
        },
        query,
      )
      const hide = await loadHide(context)
      return { ...page, data: page.data.map((row) => ({ ...show(row, hide), transactionId: row.transactionId })) }
    },
  }),
  operation({
    ...common,
    name: 'studio.outboxGet',
    access: 'view',
    method: 'GET',
    path: `${path}/{outboxId}`,
    summary: 'Returns a message of the outbox',
    handler: async (context, { params }) =>
      show(await find(context.store.db, context, params['outboxId']), await loadHide(context)),
  }),
  operation({
    ...common,
    name: 'studio.outboxRead',
    access: 'edit',
    method: 'POST',
    path: `${path}/{outboxId}/read`,
    summary: 'Marks a message of the outbox as read',
    async handler(context, { params }) {
      const hide = await loadHide(context)
      return context.store.transaction(async (tx) => {
        const existingRow = await find(tx, context, params['outboxId'])
        const readAt = existingRow.readAt ?? context.clock.now()
        await tx.updateTable('outbox').set({ readAt }).where('id', '=', existingRow.id).execute()
        return show({ ...existingRow, readAt }, hide)
      })
    },
  }),
  operation({
    ...common,
    name: 'studio.outboxDelete',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{outboxId}`,
    summary: 'Removes a message from the outbox; the run keeps it',
    status: 204,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const { id } = await find(tx, context, params['outboxId'])
        await tx.deleteFrom('outbox').where('id', '=', id).execute()
      }),
  }),
  operation({
    ...common,
    name: 'studio.outboxClear',
    access: 'edit',
    method: 'DELETE',
    path,
    summary: 'Empties the outbox of the environment, and returns how many messages it held',
    output: z.object({ removed: z.number() }),
    handler: (context) => context.store.repeatable((tx) => clear(tx, context)),
  }),
])

/** Removes the items of an outbox; the rest of a large one in the background. Returns the number of items. */
async function clear(tx: Session, context: CallContext): Promise<{ readonly removed: number }> {
  const { id: environmentId } = context.environment
  const { count, lastId } = await tx
    .selectFrom('outbox')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('id').as('lastId')])
    .where('environmentId', '=', environmentId)
    .executeTakeFirstOrThrow()
  if (lastId !== null) await removeDeletedRows(tx, context, { of: 'outbox', environmentId, lastId })
  return { removed: Number(count) }
}

async function find(db: Session, { environment }: CallContext, id = ''): Promise<OutboxRow> {
  const row = await db
    .selectFrom('outbox')
    .selectAll()
    .where('id', '=', id)
    .where('environmentId', '=', environment.id)
    .executeTakeFirst()
  if (!row) throw notFound('Outbox message', id)
  return row
}

function show(row: OutboxRow, hide: Hide): JsonObject {
  const { id, environmentId, messageId, runId, channel, recipient, content, readAt, createdAt } = row
  return {
    _id: id,
    _environmentId: environmentId,
    _messageId: messageId,
    _notificationId: runId,
    channel,
    recipient,
    content: hide(JSON.parse(content)),
    readAt: readAt === null ? null : new Date(readAt).toISOString(),
    createdAt: new Date(createdAt).toISOString(),
  }
}
