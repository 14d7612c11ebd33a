/** Creates the tables of inbox changes, from which streams resume. */
export const inboxTables: readonly string[] = Object.freeze([
  `create table "inboxPositions" (
    "subscriberId" text not null,
    "environmentId" text not null,
    "position" bigint not null,
    primary key ("subscriberId")
  )`,
  `create table "inboxChanges" (
    "subscriberId" text not null,
    "position" bigint not null,
    "environmentId" text not null,
    "kind" text not null,
    "messageIds" text,
    "createdAt" bigint not null,
    primary key ("subscriberId", "position")
  )`,
  `create index "inboxChanges_createdAt" on "inboxChanges" ("createdAt")`,
])
