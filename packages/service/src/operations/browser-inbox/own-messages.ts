import { z } from 'zod'
import type { AnyOperation } from '../../context/operation.ts'
import { inboxOperations } from '../inbox/inbox.ts'
import { inboxChangeOperations } from '../inbox/inbox-changes.ts'
import { inboxMassOperations } from '../inbox/inbox-mass-changes.ts'
import { forSubscriber, type OwnRow } from './for-subscriber.ts'

const path = '/v1/inbox/notifications'
const one = `${path}/{notificationId}`
const action = {
  body: z
    .strictObject({ actionType: z.enum(['primary', 'secondary'], 'must be primary or secondary') })
    .transform(({ actionType }) => ({ type: actionType })),
}

/** Paths under which subscribers call each inbox operation; everything else equals the server operation. */
const rows: Readonly<Record<string, Omit<OwnRow, 'name'>>> = {
  // The response already has an envelope.
  'inbox.list': { path, wrapped: false },
  'inbox.count': { path: `${path}/count` },
  'inbox.markRead': { path: `${one}/read` },
  'inbox.markUnread': { path: `${one}/unread` },
  'inbox.archive': { path: `${one}/archive` },
  'inbox.unarchive': { path: `${one}/unarchive` },
  'inbox.snooze': { path: `${one}/snooze` },
  'inbox.unsnooze': { path: `${one}/unsnooze` },
  'inbox.completeAction': { path: `${one}/complete`, ...action },
  'inbox.revertAction': { path: `${one}/revert`, ...action },
  'inbox.delete': { path: `${one}/delete` },
  'inbox.markAllRead': { path: `${path}/read`, cost: 'bulk' },
  'inbox.markAllSeen': { path: `${path}/seen` },
  'inbox.archiveAll': { path: `${path}/archive`, cost: 'bulk' },
  'inbox.archiveAllRead': { path: `${path}/read-archive`, cost: 'bulk' },
  'inbox.deleteAll': { path: `${path}/delete`, cost: 'bulk' },
}

const sources = [...inboxOperations, ...inboxChangeOperations, ...inboxMassOperations]

/** Operations on the session subscriber's own messages. */
export const ownMessageOperations: readonly AnyOperation[] = Object.freeze(
  sources.map((source) => {
    const row = rows[source.name]
    if (!row) throw new TypeError(`The operation ${source.name} has no path for subscribers.`)
    return forSubscriber(source, { wrapped: true, ...row, name: source.name.replace('inbox.', 'ownInbox.') })
  }),
)
