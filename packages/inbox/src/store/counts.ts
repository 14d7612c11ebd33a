import type { InboxNotification, Severity, UnreadCounts } from '../wire/resources.ts'

/** Message counts of a subscriber, without archived and snoozed messages. */
export interface InboxCounts {
  /** Unread messages. */
  readonly unread: number
  /** Unread messages by severity. */
  readonly severity: Readonly<Record<Severity, number>>
  /** Messages that were never displayed. */
  readonly unseen: number
}

/** Counts from the service. */
export interface ServiceCounts {
  readonly unread: UnreadCounts
  readonly unseen: number
}

const none: InboxCounts = { unread: 0, severity: { high: 0, medium: 0, low: 0, none: 0 }, unseen: 0 }

/** Counts that do not include pending changes. */
export interface BaseCounts {
  value(): InboxCounts
  /** Updates the counts for a changed message. */
  move(before: InboxNotification, after: InboxNotification | undefined): void
  /** Stores counts from the service, which `settle` applies. */
  set(counts: Partial<ServiceCounts>): void
  /** Applies the stored counts. */
  settle(): void
}

/** Creates counts that are all zero. */
export function createBaseCounts(): BaseCounts {
  let base = none
  let later: Partial<ServiceCounts> = {}
  return {
    value: () => base,
    move(before, after) {
      base = moveCounts(base, before, after)
    },
    set(counts) {
      later = { ...later, ...counts }
    },
    settle() {
      const { unread, unseen } = later
      later = {}
      base = {
        unread: unread?.total ?? base.unread,
        severity: unread?.severity ?? base.severity,
        unseen: unseen ?? base.unseen,
      }
    },
  }
}

/** Returns the counts after a message has changed. */
export function moveCounts(
  counts: InboxCounts,
  before: InboxNotification,
  after: InboxNotification | undefined,
): InboxCounts {
  if (before === after) return counts
  const unread = countOf(after, 'isRead') - countOf(before, 'isRead')
  const unseen = countOf(after, 'isSeen') - countOf(before, 'isSeen')
  const { severity } = before
  return {
    unread: Math.max(0, counts.unread + unread),
    severity: { ...counts.severity, [severity]: Math.max(0, (counts.severity[severity] ?? 0) + unread) },
    unseen: Math.max(0, counts.unseen + unseen),
  }
}

const countOf = (item: InboxNotification | undefined, mark: 'isRead' | 'isSeen'): number =>
  item && !item.isArchived && !item.isSnoozed && !item[mark] ? 1 : 0
