/** Creates the tables of accounts and the audit log. */
export const peopleTables: readonly string[] = Object.freeze([
  `create table "accounts" (
    "id" text not null,
    "email" text not null,
    "name" text not null,
    "status" text not null,
    "passwordHash" text,
    "issuer" text,
    "subject" text,
    "role" text,
    "signedInAt" bigint,
    "createdAt" bigint not null,
    "updatedAt" bigint not null,
    primary key ("id"),
    unique ("email"),
    unique ("issuer", "subject")
  )`,
  `create table "accountRoles" (
    "accountId" text not null,
    "environmentId" text not null,
    "role" text not null,
    primary key ("accountId", "environmentId")
  )`,
  `create table "accountSessions" (
    "id" text not null,
    "accountId" text not null,
    "hash" text not null,
    "address" text,
    "userAgent" text,
    "createdAt" bigint not null,
    "usedAt" bigint not null,
    "expiresAt" bigint not null,
    primary key ("id"),
    unique ("hash")
  )`,
  `create index "accountSessions_accountId" on "accountSessions" ("accountId")`,
  `create table "accountLinks" (
    "hash" text not null,
    "purpose" text not null,
    "accountId" text,
    "createdAt" bigint not null,
    "expiresAt" bigint not null,
    primary key ("hash")
  )`,
  `create index "accountLinks_accountId" on "accountLinks" ("accountId")`,
  `create table "attempts" (
    "key" text not null,
    "tokens" double precision not null,
    "refilledAt" bigint not null,
    primary key ("key")
  )`,
  `create table "auditEntries" (
    "id" text not null,
    "scope" text,
    "scopeName" text,
    "actorType" text not null,
    "actorId" text,
    "actorName" text,
    "operation" text not null,
    "subject" text,
    "outcome" text not null,
    "requestId" text not null,
    "address" text,
    "createdAt" bigint not null,
    primary key ("id")
  )`,
  `create index "auditEntries_scope_createdAt" on "auditEntries" ("scope", "createdAt", "id")`,
  `create index "auditEntries_createdAt" on "auditEntries" ("createdAt")`,
])
