import { invalid } from '../../api/api-error.ts'
import { type AnyOperation, operation, reply } from '../../context/operation.ts'
import { showInboxItems } from '../inbox/inbox-items.ts'
import { eventStreamHeaders, toEventStream } from '../studio/event-stream.ts'
import { ownSession } from './for-subscriber.ts'
import { watchInbox } from './watch-inbox.ts'

/** Streams a subscriber's inbox as server-sent events. */
export const inboxEventOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    name: 'ownInbox.events',
    access: 'view',
    method: 'GET',
    path: '/v1/inbox/events',
    summary: 'Streams changes to the subscriber inbox from now on, or after a given event',
    category: 'global',
    wrapped: false,
    forSubscriber: true,
    headers: { 'last-event-id': 'The id of the last received event, to resume after it' },
    async handler(context) {
      const session = ownSession(context)
      const last = context.header('last-event-id')
      if (last !== undefined && !/^\d{1,15}$/.test(last))
        throw invalid('last-event-id', 'must be the id of an event of this stream')
      const events = watchInbox(context, {
        session,
        after: last === undefined ? undefined : Number(last),
        stream: context.inboxStreams.open(session, context.signal),
        show: (rows) => showInboxItems(context.store.db, session.subscriber, rows),
      })
      return reply(200, toEventStream(events), eventStreamHeaders)
    },
  }),
])
