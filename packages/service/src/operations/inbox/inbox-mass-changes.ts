import { z } from 'zod'
import { filledText, text } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { findMessageIds } from '../../messages/list-messages.ts'
import { type Mark, markMessages, wakeMessages } from '../../messages/mark-messages.ts'
import type { MessageFilter } from '../../messages/message-filter.ts'
import { recordInboxChange } from '../../messages/record-inbox-change.ts'
import type { Session } from '../../store/store.ts'
import { findSubscriber } from '../subscribers/find-subscriber.ts'
import { parseDataFilter } from './feed-query.ts'
import { toOwner } from './inbox.ts'

const common = { category: 'configuration', wrapped: false } as const
const path = '/v2/subscribers/{subscriberId}/notifications'

const selection = z.strictObject({
  tags: z.array(text(255)).max(100).optional(),
  data: text(10_000).optional(),
  contextKeys: z.array(text(500)).max(50).optional(),
})

type Params = Readonly<Record<string, string>>
type Selection = z.infer<typeof selection>

/** The operations of the second version of the API that change many messages of a subscriber's inbox at once. */
export const inboxMassOperations: readonly AnyOperation[] = Object.freeze([
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
      context.store.repeatable(async (tx) => {
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
      context.store.repeatable(async (tx) => {
        const filter = await toFilter(tx, context, { params, selection: body })
        await wakeMessages(tx, filter, context.clock.now())
        const ids = await findMessageIds(tx, filter)
        for (let start = 0; start < ids.length; start += 500)
          await tx
            .deleteFrom('messages')
            .where('id', 'in', ids.slice(start, start + 500))
            .execute()
        await recordInboxChange(tx, filter, { kind: 'changed', ids, nowMs: context.clock.now() })
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
      context.store.repeatable(async (tx) => {
        const chosen = { ...(await toFilter(tx, context, { params, selection: body })), ...filter }
        await markMessages(tx, chosen, { mark, nowMs: context.clock.now() })
      }),
  })
}

async function toFilter(
  tx: Session,
  context: CallContext,
  { params, selection: chosen }: { readonly params: Params; readonly selection: Selection },
): Promise<MessageFilter> {
  const subscriber = await findSubscriber(tx, context, params['subscriberId'])
  const { tags, data, contextKeys } = chosen
  return { ...toOwner(subscriber), tags, data: parseDataFilter('data', data), contextKeys }
}
