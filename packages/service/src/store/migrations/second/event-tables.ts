/** Creates the table of emitted events, and the index that finds the steps that wait for them. */
export const eventTables: readonly string[] = Object.freeze([
  `create table "emittedEvents" (
    "id" text not null,
    "environmentId" text not null,
    "name" text not null,
    "payload" text not null,
    "recipient" text,
    "keys" text not null,
    "status" text not null,
    "cursor" text,
    "createdAt" bigint not null,
    primary key ("id")
  )`,
  `create index "emittedEvents_name" on "emittedEvents" ("environmentId", "name", "createdAt")`,
  `create index "emittedEvents_createdAt" on "emittedEvents" ("createdAt")`,
  `alter table "jobs" add column "eventId" text`,
  `create index "jobs_events_some" on "jobs" ("environmentId", "bucket", "id")
    where "status" = 'delayed' and "type" = 'wait_for_event'`,
])

/** Finds the queued work that looks for earlier events. */
export const lookBackIndexes: readonly { readonly name: string; readonly on: string }[] = Object.freeze([
  {
    name: 'queueItems_lookBack_some',
    on: `"queueItems" ("kind", "subject") where "kind" in ('start', 'look-back')`,
  },
])
