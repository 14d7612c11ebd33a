import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { invalid } from '../../api/api-error.ts'
import { filledText, queryList, text } from '../../api/input.ts'
import type { CallContext } from '../../context/service-context.ts'
import { findMessageIds } from '../../messages/list-messages.ts'
import { type Mark, markMessages } from '../../messages/mark-messages.ts'
import type { MessageFilter } from '../../messages/message-filter.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import type { Session } from '../../store/store.ts'
import { type AnyOperation, operation } from '../operation.ts'
import { parseDataFilter } from './feed-query.ts'
import { findInAppMessage, findSubscriber } from './find-subscriber.ts'
import { toOwner } from './inbox.ts'
import { showInboxItems } from './inbox-items.ts'
import { changeAction } from './message-action.ts'

const item = z.looseObject({ id: z.string(), isRead: z.boolean() })
const query = z.object({ contextKeys: queryList() })
const common = { category: 'configuration', wrapped: false, output: item } as const
const path = '/v2/subscribers/{subscriberId}/notifications'
const one = `${path}/{notificationId}`
const longestSnoozeMs = 366 * 24 * 3_600_000

const selection = z.strictObject({
  tags: z.array(text(255)).max(100).optional(),
  data: text(10_000).optional(),
  contextKeys: z.array(text(500)).max(50).optional(),
})

type Params = Readonly<Record<string, string>>
type Selection = z.infer<typeof selection>

/** The operations of the second version of the API that change a subscriber's inbox. */
export const inboxChangeOperations: readonly AnyOperation[] = Object.freeze([
  ...(['read', 'unread', 'archive', 'unarchive'] as const).map((mark) =>
    operation({
      ...common,
      name: `inbox.${mark}`,
      method: 'PATCH',
      path: `${one}/${mark}`,
      summary: `Marks an in-app message: ${mark}`,
      query,
      handler: (context, { params }) =>
        change(context, params, async (tx, message) => {
          const filter = { environmentId: message.environmentId, subscriberId: message.subscriberId, ids: [message.id] }
          await markMessages(tx, filter, { mark, nowMs: context.clock.now() })
        }),
    }),
  ),
  operation({
    ...common,
    name: 'inbox.snooze',
    method: 'PATCH',
    path: `${one}/snooze`,
    summary: 'Hides an in-app message until a time',
    query,
    body: z.strictObject({ snoozeUntil: z.iso.datetime({ offset: true, message: 'must be a time, ISO 8601' }) }),
    handler(context, { params, body }) {
      const nowMs = context.clock.now()
      const untilMs = Date.parse(body.snoozeUntil)
      if (untilMs <= nowMs || untilMs > nowMs + longestSnoozeMs)
        throw invalid('snoozeUntil', 'must lie in the future, at most a year ahead')
      return change(context, params, (tx, { id }) =>
        tx.updateTable('messages').set({ snoozedUntil: untilMs, updatedAt: nowMs }).where('id', '=', id).execute(),
      )
    },
  }),
  operation({
    ...common,
    name: 'inbox.unsnooze',
    method: 'PATCH',
    path: `${one}/unsnooze`,
    summary: 'Shows a hidden in-app message again',
    query,
    handler: (context, { params }) =>
      change(context, params, (tx, { id, deliveredAt }) => {
        const nowMs = context.clock.now()
        const delivered = JSON.stringify([...(JSON.parse(deliveredAt) as readonly number[]), nowMs])
        return tx
          .updateTable('messages')
          .set({ snoozedUntil: null, deliveredAt: delivered, updatedAt: nowMs })
          .where('id', '=', id)
          .where('snoozedUntil', 'is not', null)
          .execute()
      }),
  }),
  ...(['complete', 'revert'] as const).map((verb) =>
    operation({
      ...common,
      name: `inbox.${verb}Action`,
      method: 'PATCH',
      path: `${one}/actions/{actionType}/${verb}`,
      summary: `Marks a button of an in-app message: ${verb}`,
      params: z.object({
        subscriberId: z.string(),
        notificationId: z.string(),
        actionType: z.enum(['primary', 'secondary'], 'must be primary or secondary'),
      }),
      query,
      handler: (context, { params }) =>
        change(context, params, (tx, message) => {
          const status = verb === 'complete' ? 'done' : 'pending'
          return changeAction(tx, message, { type: params.actionType, status, nowMs: context.clock.now() })
        }),
    }),
  ),
  operation({
    ...common,
    name: 'inbox.delete',
    method: 'DELETE',
    path: one,
    summary: 'Deletes an in-app message',
    status: 204,
    query,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const subscriber = await findSubscriber(tx, context, { subscriberId: params['subscriberId'] })
        const { id } = await findInAppMessage(tx, subscriber, params['notificationId'])
        await tx.deleteFrom('messages').where('id', '=', id).execute()
      }),
  }),
  ...(['read', 'archive'] as const).map((mark) => changeAll(mark, `${path}/${mark}`, { mark })),
  changeAll('archiveRead', `${path}/read-archive`, { mark: 'archive', filter: { read: true } }),
  operation({
    ...common,
    name: 'inbox.seenAll',
    method: 'POST',
    path: `${path}/seen`,
    summary: 'Marks in-app messages as seen: the named ones, or those of a selection',
    status: 204,
    body: selection.extend({ notificationIds: z.array(filledText()).max(1000).optional() }),
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const { notificationIds: ids, ...rest } = body
        const filter = { ...(await toFilter(tx, context, { params, selection: rest })), ids }
        await markMessages(tx, filter, { mark: 'seen', nowMs: context.clock.now() })
      }),
  }),
  operation({
    ...common,
    name: 'inbox.deleteAll',
    method: 'POST',
    path: `${path}/delete`,
    summary: 'Deletes all in-app messages of a selection',
    status: 204,
    body: selection,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const ids = await findMessageIds(tx, await toFilter(tx, context, { params, selection: body }))
        for (let start = 0; start < ids.length; start += 500)
          await tx
            .deleteFrom('messages')
            .where('id', 'in', ids.slice(start, start + 500))
            .execute()
      }),
  }),
])

function changeAll(
  name: string,
  at: string,
  { mark, filter }: { readonly mark: Mark; readonly filter?: Partial<MessageFilter> },
): AnyOperation {
  return operation({
    ...common,
    name: `inbox.${name}All`,
    method: 'POST',
    path: at,
    summary: `Marks all in-app messages of a selection: ${name}`,
    status: 204,
    body: selection,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const chosen = { ...(await toFilter(tx, context, { params, selection: body })), ...filter }
        await markMessages(tx, chosen, { mark, nowMs: context.clock.now() })
      }),
  })
}

/** Changes one message and returns it as it is then. */
async function change(
  context: CallContext,
  params: Params,
  work: (tx: Session, message: MessageRow) => Promise<unknown>,
): Promise<JsonObject> {
  return context.store.transaction(async (tx) => {
    const subscriber = await findSubscriber(tx, context, { subscriberId: params['subscriberId'] })
    const message = await findInAppMessage(tx, subscriber, params['notificationId'])
    await work(tx, message)
    const changed = await findInAppMessage(tx, subscriber, message.id)
    const [shown = {}] = await showInboxItems(tx, subscriber, [changed])
    return shown
  })
}

async function toFilter(
  tx: Session,
  context: CallContext,
  { params, selection: chosen }: { readonly params: Params; readonly selection: Selection },
): Promise<MessageFilter> {
  const subscriber = await findSubscriber(tx, context, { subscriberId: params['subscriberId'] })
  const { tags, data, contextKeys } = chosen
  return { ...toOwner(subscriber), tags, data: parseDataFilter('data', data), contextKeys }
}
