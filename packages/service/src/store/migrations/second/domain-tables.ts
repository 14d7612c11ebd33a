/** Creates the tables of inbound mail domains. */
export const domainTables: readonly string[] = Object.freeze([
  `create table "domains" (
    "id" text not null,
    "environmentId" text not null,
    "name" text not null,
    "token" text not null,
    "status" text not null,
    "isMxConfigured" smallint not null,
    "data" text,
    "createdAt" bigint not null,
    "updatedAt" bigint not null,
    primary key ("id"),
    unique ("environmentId", "name")
  )`,
  // A verified domain belongs to one environment, which receives its mail.
  `create unique index "domains_verified" on "domains" ("name") where "status" = 'verified'`,
  `create table "domainRoutes" (
    "id" text not null,
    "environmentId" text not null,
    "domainId" text not null,
    "address" text not null,
    "type" text not null,
    "agentId" text,
    "webhookUrl" text,
    "data" text,
    "createdAt" bigint not null,
    "updatedAt" bigint not null,
    primary key ("id"),
    unique ("domainId", "address")
  )`,
  `create index "domainRoutes_environmentId_agentId" on "domainRoutes" ("environmentId", "agentId")`,
])

/** Creates the table of received mail. */
export const inboundMailTables: readonly string[] = Object.freeze([
  `create table "inboundMails" (
    "id" text not null,
    "environmentId" text not null,
    "dedupeKey" text not null,
    "domain" text not null,
    "recipient" text not null,
    "sender" text not null,
    "subject" text not null,
    "messageId" text,
    "sizeBytes" bigint not null,
    "verdict" text not null,
    "type" text,
    "target" text,
    "status" text not null,
    "reason" text,
    "conversationId" text,
    "attempts" bigint not null,
    "content" text not null,
    "createdAt" bigint not null,
    "settledAt" bigint,
    primary key ("id"),
    unique ("dedupeKey")
  )`,
  `create index "inboundMails_environmentId_createdAt" on "inboundMails" ("environmentId", "createdAt")`,
  `create index "inboundMails_createdAt" on "inboundMails" ("createdAt")`,
  `create index "inboundMails_pending" on "inboundMails" ("environmentId") where "status" = 'pending'`,
])
