import { z } from 'zod'
import { filledText, text } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { findMessageIds } from '../../messages/list-messages.ts'
import { type Mark, markMessages, wakeMessages } from '../../messages/mark-messages.ts'
import type { MessageFilter } from '../../messages/message-filter.ts'
import { recordInboxChange } from '../../messages/record-inbox-change.ts'
import { named } from '../../resources/named.ts'
import type { Session } from '../../store/store.ts'
import { findSubscriber } from '../subscribers/find-subscriber.ts'
import { parseDataFilter } from './feed-query.ts'
import { toOwner } from './inbox.ts'

const common = { category: 'configuration', wrapped: false } as const
const path = '/v2/subscribers/{subscriberId}/notifications'

const selection = named(
  'InboxSelection',
  'Selects messages of an inbox; all of them if empty.',
  z.strictObject({
    tags: z.array(text(255)).max(100).optional().describe('Tags of the workflow.'),
    data: text(10_000).optional().describe('Values of custom fields, as a JSON string.'),
    contextKeys: z.array(text(500)).max(50).optional().describe('The contexts.'),
    upToId: filledText().optional().describe('The id of the newest message to include.'),
  }),
)

type Params = Readonly<Record<string, string>>
type Selection = z.infer<typeof selection>

/** Operations (v2) that change many messages of a subscriber's inbox at once. */
export const inboxMassOperations: readonly AnyOperation[] = Object.freeze([
  changeAll('markAllRead', 'read', { summary: 'Marks the selected in-app messages as read.', mark: 'read' }),
  changeAll('archiveAll', 'archive', { summary: 'Archives the selected in-app messages.', mark: 'archive' }),
  changeAll('archiveAllRead', 'read-archive', {
    summary: 'Archives the selected in-app messages that have been read.',
    mark: 'archive',
    filter: { read: true },
  }),
  operation({
    ...common,
    name: 'inbox.markAllSeen',
    access: 'edit',
    method: 'POST',
    path: `${path}/seen`,
    summary: 'Marks in-app messages as seen: the listed ones, or those in a selection',
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
    access: 'edit',
    method: 'POST',
    path: `${path}/delete`,
    summary: 'Deletes all in-app messages in a selection',
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
  last: string,
  change: { readonly summary: string; readonly mark: Mark; readonly filter?: Partial<MessageFilter> },
): AnyOperation {
  const { summary, mark, filter } = change
  return operation({
    ...common,
    name: `inbox.${name}`,
    access: 'edit',
    method: 'POST',
    path: `${path}/${last}`,
    summary,
    status: 204,
    body: selection,
    handler: (context, { params, body }) =>
      context.store.repeatable(async (tx) => {
        const chosen = { ...(await toFilter(tx, context, { params, selection: body })), ...filter, ...inView(context) }
        await markMessages(tx, chosen, { mark, nowMs: context.clock.now() })
      }),
  })
}

/**
 * Returns which messages a subscriber sees, and means by "all". Archiving a snoozed message would lose the reminder,
 * because it would stay archived when the snooze ends.
 */
const inView = ({ session }: CallContext): Partial<MessageFilter> =>
  session ? { archived: false, snoozed: false } : {}

async function toFilter(
  tx: Session,
  context: CallContext,
  { params, selection: chosen }: { readonly params: Params; readonly selection: Selection },
): Promise<MessageFilter> {
  const subscriber = await findSubscriber(tx, context, params['subscriberId'])
  const { tags, data, contextKeys, upToId } = chosen
  return { ...toOwner(subscriber), tags, data: parseDataFilter('data', data), contextKeys, upToId }
}
