import { type RawBuilder, sql } from 'kysely'
import type { Session } from '../store/store.ts'
import type { MessageFilter } from './message-filter.ts'
import type { severities } from './severities.ts'

/** The number of unread messages of a subscriber. */
export interface UnreadCounts {
  readonly total: number
  readonly severity: Readonly<Record<(typeof severities)[number], number>>
}

type Owner = Pick<MessageFilter, 'environmentId' | 'subscriberId'>

/** The maximum count of one severity, and of unseen messages. */
const maxCount = 50_000

/**
 * The conditions of the indexes `messages_unread_some` and `messages_unseen_some`. With parameters, the databases could
 * not use these indexes.
 */
const isVisible = sql`"channel" = 'in_app' and "status" = 'sent' and "archived" = 0 and "snoozedUntil" is null`

/** Counts a subscriber's unread messages, excluding archived and snoozed ones. */
export async function countUnread(db: Session, owner: Owner): Promise<UnreadCounts> {
  const count = (severity: keyof UnreadCounts['severity']) =>
    countVisible(owner, sql`"read" = 0 and "severity" = ${sql.lit(severity)}`)
  const counts = sql<UnreadCounts['severity']>`select ${count('high')} as "high", ${count('medium')} as "medium",
    ${count('low')} as "low", ${count('none')} as "none"`
  const [row] = (await counts.execute(db)).rows
  const severity = { high: 0, medium: 0, low: 0, none: 0, ...row }
  return { total: severity.high + severity.medium + severity.low + severity.none, severity }
}

/** Counts a subscriber's unseen messages, excluding archived and snoozed ones. */
export async function countUnseen(db: Session, owner: Owner): Promise<number> {
  const counts = sql<{ readonly unseen: number }>`select ${countVisible(owner, sql`"seen" = 0`)} as "unseen"`
  const [row] = (await counts.execute(db)).rows
  return row?.unseen ?? 0
}

function countVisible({ environmentId, subscriberId }: Owner, condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(select count(*) from (select 1 from "messages" where "environmentId" = ${environmentId}
    and "subscriberId" = ${subscriberId} and ${isVisible} and ${condition} limit ${sql.lit(maxCount)}) as "visible")`
}
