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
