import type { InboxNotification, Severity } from '../wire/resources.ts'

/** Filters of a list. Omitted filters and empty lists are ignored. */
export interface NotificationFilter {
  readonly read?: boolean
  readonly seen?: boolean
  readonly archived?: boolean
  readonly snoozed?: boolean
  /** Messages with one of these tags. */
  readonly tags?: readonly string[]
  /** Messages with one of these severities. */
  readonly severity?: readonly Severity[]
}

/** Returns whether a message belongs to a list with this filter. */
export function matchesFilter(item: InboxNotification, filter: NotificationFilter): boolean {
  const { read, seen, archived, snoozed, tags, severity } = filter
  return (
    (read === undefined || item.isRead === read) &&
    (seen === undefined || item.isSeen === seen) &&
    (archived === undefined || item.isArchived === archived) &&
    (snoozed === undefined || item.isSnoozed === snoozed) &&
    hasTag(item, tags) &&
    (!severity?.length || severity.includes(item.severity))
  )
}

/** Returns whether a message has one of some tags; an empty list is ignored. */
export const hasTag = (item: InboxNotification, tags: readonly string[] | undefined): boolean =>
  !tags?.length || tags.some((tag) => item.tags?.includes(tag))

/** Returns the same text for filters that select the same messages. */
export const toKey = (filter: NotificationFilter): string =>
  JSON.stringify(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined && value.length !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )

/** Returns a filter as query parameters for the service. */
export function toFilterQuery(filter: NotificationFilter): Readonly<Record<string, unknown>> {
  const { tags, severity, ...flags } = filter
  return { ...flags, ...(tags && { 'tags[]': tags }), ...(severity && { 'severity[]': severity }) }
}
