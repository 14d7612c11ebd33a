import type { InboxNotification, Severity } from '../wire/resources.ts'

/** Filters of a list. Omitted filters are ignored. */
export interface NotificationFilter {
  readonly read?: boolean
  readonly seen?: boolean
  readonly archived?: boolean
  readonly snoozed?: boolean
  /** One of these tags. */
  readonly tags?: readonly string[]
  /** One of these severities. */
  readonly severity?: readonly Severity[]
}

/** Returns whether a message is in a list. */
export function matchesFilter(item: InboxNotification, filter: NotificationFilter): boolean {
  const { read, seen, archived, snoozed, tags, severity } = filter
  return (
    (read === undefined || item.isRead === read) &&
    (seen === undefined || item.isSeen === seen) &&
    (archived === undefined || item.isArchived === archived) &&
    (snoozed === undefined || item.isSnoozed === snoozed) &&
    (tags === undefined || tags.some((tag) => item.tags?.includes(tag))) &&
    (severity === undefined || severity.includes(item.severity))
  )
}

/** Returns the query of the service for a filter. */
export function toFilterQuery(filter: NotificationFilter): Readonly<Record<string, unknown>> {
  const { tags, severity, ...flags } = filter
  return { ...flags, ...(tags && { 'tags[]': tags }), ...(severity && { 'severity[]': severity }) }
}
