/** Creates the column and the table of events that cancel runs. */
export const cancelTables: readonly string[] = Object.freeze([
  `alter table "workflows" add column "cancelOn" text`,
  `create table "cancelWatches" (
    "id" text not null,
    "environmentId" text not null,
    "runId" text not null,
    "event" text not null,
    "bucket" text not null,
    "keys" text not null,
    "since" bigint not null,
    primary key ("id")
  )`,
  `create index "cancelWatches_bucket" on "cancelWatches" ("environmentId", "bucket", "id")`,
  `create index "cancelWatches_runId" on "cancelWatches" ("runId")`,
])
