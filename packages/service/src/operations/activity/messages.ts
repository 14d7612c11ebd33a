import { messageTypes } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { notFound } from '../../api/api-error.ts'
import { queryList, queryText } from '../../api/input.ts'
import { pageFields, toNumberedPage } from '../../api/numbered-page.ts'
import { refuseLargePage } from '../../api/page-size.ts'
import { queryChoice, queryChoices } from '../../api/query-fields.ts'
import { removeDeletedRows } from '../../background/deleted-rows.ts'
import { removeMessages } from '../../background/remove-messages.ts'
import { loadHide } from '../../context/hide-secrets.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { toMessage } from '../../messages/to-message.ts'
import { wake } from '../../messages/wake.ts'
import { loadReports } from '../../reports/load-reports.ts'
import { message } from '../../resources/activity/message.ts'
import { deletion } from '../../resources/deletion.ts'
import { openPageOf } from '../../resources/page.ts'
import { holds } from '../../store/holds.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import { findSubscriber } from '../subscribers/find-subscriber.ts'
import { toSubscriber } from '../subscribers/subscriber-view.ts'

const maxLimit = 1000
const common = { category: 'global', wrapped: true } as const
const path = '/v1/messages'
const channelField = queryChoice(messageTypes)
const listFields = {
  ...pageFields({ limit: 10, max: maxLimit }),
  channel: channelField,
  subscriberId: queryText(),
  transactionId: queryList(),
  contextKeys: queryList(),
}
const statuses = ['sent', 'pending', 'warning', 'error'] as const

/** The operations on stored messages. */
export const messageOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'messages.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists messages, newest first.',
    wrapped: false,
    query: z.strictObject(listFields),
    output: openPageOf(message),
    handler: (context, { query }) => list(context, query),
  }),
  operation({
    ...common,
    name: 'studio.messageList',
    access: 'view',
    method: 'GET',
    path: '/v1/studio/messages',
    summary: 'Lists messages with one of some statuses, newest first',
    wrapped: false,
    query: z.strictObject({ ...listFields, status: queryChoices(statuses) }),
    output: openPageOf(message),
    handler: (context, { query }) => list(context, query),
  }),
  operation({
    ...common,
    name: 'messages.delete',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{messageId}`,
    summary: 'Deletes a message.',
    output: deletion,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const id = String(params['messageId'])
        const existingMessage = await tx
          .selectFrom('messages')
          .select('id')
          .where('environmentId', '=', context.environment.id)
          .where('id', '=', id)
          .executeTakeFirst()
        if (!existingMessage) throw notFound('Message', id)
        await removeMessages(tx, [id], context.clock.now())
        return { acknowledged: true, status: 'deleted' }
      }),
  }),
  operation({
    ...common,
    name: 'messages.deleteByTransaction',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/transaction/{transactionId}`,
    summary: 'Deletes the messages of a transaction.',
    status: 204,
    query: z.strictObject({ channel: channelField }),
    handler: (context, { params, query }) =>
      context.store.repeatable(async (tx) => {
        const transactionId = String(params['transactionId'])
        const { id: environmentId } = context.environment
        const rows = { of: 'transaction', environmentId, transactionId, channel: query.channel } as const
        const count = await removeDeletedRows(tx, context, rows)
        if (count === 0) throw notFound('A message of the transaction', transactionId)
      }),
  }),
])

interface MessageQuery {
  readonly page: number
  readonly limit: number
  readonly channel?: string | undefined
  readonly subscriberId?: string | undefined
  readonly transactionId?: readonly string[] | undefined
  readonly contextKeys?: readonly string[] | undefined
  readonly status?: readonly string[] | undefined
}

/** Returns messages, newest first. */
async function loadMessages(db: Session, ids: readonly string[]): Promise<readonly MessageRow[]> {
  if (ids.length === 0) return []
  const columns = ['payload', 'overrides', 'content', 'data'] as const
  await refuseLargePage(db, { table: 'messages', by: 'id', ids, columns })
  return db.selectFrom('messages').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
}

async function list(context: CallContext, filter: MessageQuery): Promise<unknown> {
  const { db } = context.store
  const { page, limit, channel, subscriberId, transactionId, contextKeys, status } = filter
  let query = db.selectFrom('messages').select('id').where('environmentId', '=', context.environment.id)
  if (channel !== undefined) query = query.where('channel', '=', channel)
  if (subscriberId !== undefined)
    query = query.where('subscriberId', '=', (await findSubscriber(db, context, subscriberId)).id)
  if (transactionId !== undefined) query = query.where('transactionId', 'in', transactionId)
  if (status !== undefined) query = query.where('status', 'in', status as readonly MessageRow['status'][])
  for (const key of contextKeys ?? []) query = query.where(holds(sql.ref('contextKeys'), JSON.stringify(key)))
  const found = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .offset(page * limit)
    .execute()
  const messagePage = toNumberedPage(
    found.map(({ id }) => id),
    { page, limit },
  )
  const rows = await loadMessages(db, messagePage.data)
  const people = await loadSubscribers(
    db,
    rows.map((row) => row.subscriberId),
  )
  const reports = await loadReports(db, { by: 'messageId', ids: messagePage.data })
  const { organizationId } = context
  const hide = await loadHide(context)
  const nowMs = context.clock.now()
  const data = rows.map((row) => {
    const subscriber = people.get(row.subscriberId)
    return toMessage(wake(row, nowMs), {
      organizationId,
      hide,
      reports: reports.get(row.id) ?? [],
      ...(subscriber && { subscriber: toSubscriber(subscriber, organizationId) }),
    })
  })
  return { ...messagePage, data }
}

async function loadSubscribers(db: Session, ids: readonly string[]): Promise<Map<string, SubscriberRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('subscribers')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
