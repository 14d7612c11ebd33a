/** By these people and what was sent to them are found, however many there are. */
export const lookUpIndexes: readonly string[] = Object.freeze([
  `create index "subscribers_environmentId_email" on "subscribers" ("environmentId", lower("email"))`,
  `create index "subscribers_environmentId_phone" on "subscribers" ("environmentId", "phone")`,
  `create index "runs_environmentId_externalSubscriberId_id" on "runs" ("environmentId", "externalSubscriberId", "id")`,
])

/**
 * What PostgreSQL knows of an index on `lower("email")` decides whether it looks there first, and a table at rest is not
 * looked at. SQLite would keep for ever what it has counted now.
 */
export const lookUpStatistics: readonly string[] = Object.freeze(['analyze "subscribers"'])

/**
 * Counts of runs read this index alone: a row of a run has several kilobytes. It finds what the index it replaces did, and so
 * does the one of a workflow's runs, in their order.
 */
export const listIndexes: readonly string[] = Object.freeze([
  `create index "runs_counted" on "runs" ("environmentId", "id", "createdAt", "workflowId", "channels")`,
  `create index "runs_environmentId_workflowId_id" on "runs" ("environmentId", "workflowId", "id")`,
  `create index "triggers_environmentId_id" on "triggers" ("environmentId", "id")`,
  'drop index "runs_environmentId_id"',
  'drop index "runs_environmentId_workflowId"',
])
