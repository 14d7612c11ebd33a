/** Creates the tables of webhooks that receive events. */
export const webhookTables: readonly string[] = Object.freeze([
  `create table "webhookEndpoints" (
    "id" text not null,
    "environmentId" text not null,
    "url" text not null,
    "description" text not null,
    "eventTypes" text not null,
    "active" smallint not null,
    "secrets" text not null,
    "disabledReason" text,
    "failingSince" bigint,
    "createdAt" bigint not null,
    "updatedAt" bigint not null,
    primary key ("id")
  )`,
  'create index "webhookEndpoints_environmentId" on "webhookEndpoints" ("environmentId", "createdAt")',
  `create table "webhookDeliveries" (
    "id" text not null,
    "environmentId" text not null,
    "endpointId" text not null,
    "eventId" text not null,
    "eventType" text not null,
    "payload" text not null,
    "status" text not null,
    "attempts" smallint not null,
    "log" text not null,
    "reason" text,
    "nextAt" bigint,
    "createdAt" bigint not null,
    "settledAt" bigint,
    primary key ("id")
  )`,
  'create index "webhookDeliveries_endpointId" on "webhookDeliveries" ("endpointId", "createdAt")',
  'create index "webhookDeliveries_environmentId" on "webhookDeliveries" ("environmentId", "createdAt")',
])

/** Finds the deliveries that retention removes. */
export const deliveryIndexes: readonly { readonly name: string; readonly on: string }[] = Object.freeze([
  { name: 'webhookDeliveries_createdAt', on: `"webhookDeliveries" ("createdAt")` },
])
