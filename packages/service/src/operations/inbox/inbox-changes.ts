import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { invalid } from '../../api/api-error.ts'
import { queryList } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { markMessages, wakeMessages } from '../../messages/mark-messages.ts'
import { recordInboxChange } from '../../messages/record-inbox-change.ts'
import { addDelivery } from '../../messages/wake.ts'
import { inboxItem } from '../../resources/activity/inbox.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import type { Session } from '../../store/store.ts'
import { findSubscriber } from '../subscribers/find-subscriber.ts'
import { findInAppMessage } from './find-in-app-message.ts'
import { toOwner } from './inbox.ts'
import { showInboxItems } from './inbox-items.ts'
import { changeAction } from './message-action.ts'

const query = z.strictObject({ contextKeys: queryList() })
const common = { category: 'configuration', wrapped: false, output: inboxItem } as const
const path = '/v2/subscribers/{subscriberId}/notifications'
const one = `${path}/{notificationId}`
/** The longest snooze, in milliseconds. */
export const longestSnoozeMs: number = 366 * 24 * 3_600_000

type Params = Readonly<Record<string, string>>

/** Operations (v2) that change single messages of a subscriber's inbox. */
export const inboxChangeOperations: readonly AnyOperation[] = Object.freeze([
  ...(
    [
      ['markRead', 'read'],
      ['markUnread', 'unread'],
      ['archive', 'archive'],
      ['unarchive', 'unarchive'],
    ] as const
  ).map(([name, mark]) =>
    operation({
      ...common,
      name: `inbox.${name}`,
      access: 'edit',
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
    access: 'edit',
    method: 'PATCH',
    path: `${one}/snooze`,
    summary: 'Snoozes an in-app message until a time',
    query,
    body: z.strictObject({ snoozeUntil: z.iso.datetime({ offset: true, message: 'must be an ISO 8601 time' }) }),
    handler(context, { params, body }) {
      const nowMs = context.clock.now()
      const untilMs = Date.parse(body.snoozeUntil)
      if (untilMs <= nowMs || untilMs > nowMs + longestSnoozeMs)
        throw invalid('snoozeUntil', 'must be in the future, at most a year ahead')
      return change(context, params, async (tx, message) => {
        const set = { snoozedUntil: untilMs, updatedAt: nowMs }
        await tx.updateTable('messages').set(set).where('id', '=', message.id).execute()
        await recordInboxChange(tx, message, { kind: 'changed', ids: [message.id], nowMs })
      })
    },
  }),
  operation({
    ...common,
    name: 'inbox.unsnooze',
    access: 'edit',
    method: 'PATCH',
    path: `${one}/unsnooze`,
    summary: 'Shows a snoozed in-app message again',
    query,
    handler: (context, { params }) =>
      change(context, params, async (tx, message) => {
        const { id, deliveredAt } = message
        const nowMs = context.clock.now()
        await tx
          .updateTable('messages')
          .set({ snoozedUntil: null, deliveredAt: addDelivery(deliveredAt, nowMs), updatedAt: nowMs })
          .where('id', '=', id)
          .where('snoozedUntil', 'is not', null)
          .execute()
        await recordInboxChange(tx, message, { kind: 'changed', ids: [id], nowMs })
      }),
  }),
  ...(['complete', 'revert'] as const).map((verb) =>
    operation({
      ...common,
      name: `inbox.${verb}Action`,
      access: 'edit',
      method: 'PATCH',
      path: `${one}/actions/{type}/${verb}`,
      summary: `Marks a button of an in-app message: ${verb}`,
      params: z.object({
        subscriberId: z.string(),
        notificationId: z.string(),
        type: z.enum(['primary', 'secondary'], 'must be primary or secondary'),
      }),
      query,
      handler: (context, { params }) =>
        change(context, params, (tx, message) => {
          const status = verb === 'complete' ? 'done' : 'pending'
          return changeAction(tx, message, { type: params.type, status, nowMs: context.clock.now() })
        }),
    }),
  ),
  operation({
    ...common,
    name: 'inbox.delete',
    access: 'edit',
    method: 'DELETE',
    path: one,
    summary: 'Deletes an in-app message',
    status: 204,
    query,
    handler: (context, { params }) =>
      context.store.repeatable(async (tx) => {
        const subscriber = await findSubscriber(tx, context, params['subscriberId'])
        const message = await findInAppMessage(tx, subscriber, params['notificationId'])
        await tx.deleteFrom('messages').where('id', '=', message.id).execute()
        await recordInboxChange(tx, message, { kind: 'changed', ids: [message.id], nowMs: context.clock.now() })
      }),
  }),
])

/** Changes one message and returns the changed message. */
async function change(
  context: CallContext,
  params: Params,
  work: (tx: Session, message: MessageRow) => Promise<unknown>,
): Promise<JsonObject> {
  return context.store.repeatable(async (tx) => {
    const subscriber = await findSubscriber(tx, context, params['subscriberId'])
    await wakeMessages(tx, toOwner(subscriber), context.clock.now())
    const message = await findInAppMessage(tx, subscriber, params['notificationId'])
    await work(tx, message)
    const changed = await findInAppMessage(tx, subscriber, message.id)
    const [item = {}] = await showInboxItems(tx, subscriber, [changed])
    return item
  })
}
