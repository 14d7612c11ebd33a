/** Creates the table of delivery reports. */
export const reportTables: readonly string[] = Object.freeze([
  `create table "deliveryReports" (
    "id" text not null,
    "environmentId" text not null,
    "runId" text not null,
    "messageId" text not null,
    "eventKey" text not null,
    "type" text not null,
    "reason" text,
    "happenedAt" bigint not null,
    "createdAt" bigint not null,
    primary key ("id"),
    unique ("messageId", "eventKey")
  )`,
  'create index "deliveryReports_runId" on "deliveryReports" ("runId")',
])

/** Finds the message of a report. */
export const reportIndexes: readonly { readonly name: string; readonly on: string }[] = Object.freeze([
  {
    name: 'messages_integrationId_providerMessageId',
    on: `"messages" ("integrationId", "providerMessageId") where "providerMessageId" is not null`,
  },
])
