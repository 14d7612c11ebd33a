import type { Session } from '../store/store.ts'
import { countMessages } from './list-messages.ts'
import type { MessageFilter } from './message-filter.ts'
import type { severities } from './severities.ts'

/** The number of unread messages of a subscriber. */
export interface UnreadCounts {
  readonly total: number
  readonly severity: Readonly<Record<(typeof severities)[number], number>>
}

type Owner = Pick<MessageFilter, 'environmentId' | 'subscriberId'>

/** Currently visible messages. */
const visibleFilter = { archived: false, snoozed: false } as const

/** Counts a subscriber's unread messages, excluding archived and snoozed ones. */
export async function countUnread(db: Session, owner: Owner): Promise<UnreadCounts> {
  const count = (severity: string) =>
    countMessages(db, { ...owner, ...visibleFilter, read: false, severities: [severity] })
  const severity = {
    high: await count('high'),
    medium: await count('medium'),
    low: await count('low'),
    none: await count('none'),
  }
  return { total: severity.high + severity.medium + severity.low + severity.none, severity }
}

/** Counts a subscriber's unseen messages, excluding archived and snoozed ones. */
export function countUnseen(db: Session, owner: Owner): Promise<number> {
  return countMessages(db, { ...owner, ...visibleFilter, seen: false })
}
