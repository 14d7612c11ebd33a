import type { Session } from '../store/store.ts'
import { countMessages } from './list-messages.ts'
import type { MessageFilter } from './message-filter.ts'
import type { severities } from './severities.ts'

/** How many messages a subscriber has not read. */
export interface UnreadCounts {
  /** All of them. */
  readonly total: number
  /** By severity. */
  readonly severity: Readonly<Record<(typeof severities)[number], number>>
}

type Owner = Pick<MessageFilter, 'environmentId' | 'subscriberId'>

/** Messages that are shown now. */
const shown = { archived: false, snoozed: false } as const

/** Counts the messages that a subscriber has not read; archived and snoozed ones do not count. */
export async function countUnread(db: Session, owner: Owner): Promise<UnreadCounts> {
  const count = (severity: string) => countMessages(db, { ...owner, ...shown, read: false, severities: [severity] })
  const severity = {
    high: await count('high'),
    medium: await count('medium'),
    low: await count('low'),
    none: await count('none'),
  }
  return { total: severity.high + severity.medium + severity.low + severity.none, severity }
}

/** Counts the messages that a subscriber has not seen; archived and snoozed ones do not count. */
export function countUnseen(db: Session, owner: Owner): Promise<number> {
  return countMessages(db, { ...owner, ...shown, seen: false })
}
