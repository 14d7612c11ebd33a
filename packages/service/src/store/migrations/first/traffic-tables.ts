/** Creates the tables of requests, queue and processes. */
export const trafficTables: readonly string[] = Object.freeze([
  `create table "idempotency" (
    "key" text not null,
    "bodyHash" text not null,
    "claim" text not null,
    "state" text not null,
    "status" bigint,
    "contentType" text,
    "body" text,
    "expiresAt" bigint not null,
    primary key ("key")
  )`,
  `create index "idempotency_expiresAt" on "idempotency" ("expiresAt")`,
  `create table "rateBuckets" (
    "environmentId" text not null,
    "category" text not null,
    "tokens" double precision not null,
    "refilledAt" bigint not null,
    primary key ("environmentId", "category")
  )`,
  `create table "queueItems" (
    "id" text not null,
    "kind" text not null,
    "subject" text not null,
    "lane" text not null,
    "dueAt" bigint not null,
    "attempts" bigint not null,
    "processId" text,
    "createdAt" bigint not null,
    primary key ("id")
  )`,
  `create index "queueItems_processId_dueAt" on "queueItems" ("processId", "dueAt")`,
  `create table "queueClaims" (
    "itemId" text not null,
    "kind" text not null,
    "processId" text not null,
    primary key ("itemId")
  )`,
  `create index "queueClaims_processId" on "queueClaims" ("processId")`,
  `create table "processes" (
    "id" text not null,
    "host" text not null,
    "pid" bigint not null,
    "heartbeatAt" bigint not null,
    "info" text not null,
    primary key ("id")
  )`,
])
