/** Indexes that find subscribers and their messages. */
export const lookUpIndexes: readonly string[] = Object.freeze([
  `create index "subscribers_environmentId_email" on "subscribers" ("environmentId", lower("email"))`,
  `create index "subscribers_environmentId_phone" on "subscribers" ("environmentId", "phone")`,
  `create index "runs_environmentId_externalSubscriberId_id" on "runs" ("environmentId", "externalSubscriberId", "id")`,
])

/**
 * PostgreSQL only uses an index on `lower("email")` if it has statistics, which it does not collect for an idle table.
 * SQLite would keep the statistics of this moment forever.
 */
export const lookUpStatistics: readonly string[] = Object.freeze(['analyze "subscribers"'])

/** Finds the rows of a deleted environment. */
export const environmentIndexes: readonly { readonly name: string; readonly on: string }[] = Object.freeze(
  ['stepControls', 'stepControlVersions', 'workflowWarnings', 'workflowOverrides'].map((table) => ({
    name: `${table}_environmentId`,
    on: `"${table}" ("environmentId")`,
  })),
)

/**
 * Count the visible messages of an inbox that are unread or unseen. They contain all columns of the conditions, because
 * the embedded database would otherwise read the rows, or prefer the index on channels.
 */
export const unreadIndexes: readonly { readonly name: string; readonly on: string }[] = Object.freeze([
  {
    name: 'messages_unread_some',
    on: `"messages" ("environmentId", "subscriberId", "severity", "read", "archived", "snoozedUntil", "channel", "status")
    where "channel" = 'in_app' and "status" = 'sent' and "archived" = 0 and "snoozedUntil" is null and "read" = 0`,
  },
  {
    name: 'messages_unseen_some',
    on: `"messages" ("environmentId", "subscriberId", "seen", "archived", "snoozedUntil", "channel", "status")
    where "channel" = 'in_app' and "status" = 'sent' and "archived" = 0 and "snoozedUntil" is null and "seen" = 0`,
  },
])

/**
 * Counts of runs only read this index, because a run's row takes several kilobytes. It replaces the previous index; the
 * one on workflows also covers their order.
 */
export const listIndexes: readonly string[] = Object.freeze([
  `create index "runs_counted" on "runs" ("environmentId", "id", "createdAt", "workflowId", "channels")`,
  `create index "runs_environmentId_workflowId_id" on "runs" ("environmentId", "workflowId", "id")`,
  `create index "triggers_environmentId_id" on "triggers" ("environmentId", "id")`,
  'drop index "runs_environmentId_id"',
  'drop index "runs_environmentId_workflowId"',
])

/** Find the messages of a deleted feed, the conversations of a deleted subscriber, and the pages of lists. */
export const ownerIndexes: readonly { readonly name: string; readonly on: string }[] = Object.freeze([
  { name: 'messages_feedId_some', on: '"messages" ("feedId") where "feedId" is not null' },
  {
    name: 'conversations_subscriberId_some',
    on: '"conversations" ("environmentId", "subscriberId") where "subscriberId" is not null',
  },
  { name: 'topicSubscriptions_topicId_id', on: '"topicSubscriptions" ("topicId", "id")' },
  ...['channelConnections', 'channelEndpoints', 'contexts'].map((table) => ({
    name: `${table}_environmentId_id`,
    on: `"${table}" ("environmentId", "id")`,
  })),
])
