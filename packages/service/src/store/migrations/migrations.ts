import { accountTables } from './first/account-tables.ts'
import { deliveryTables } from './first/delivery-tables.ts'
import { messageTables } from './first/message-tables.ts'
import { runTables } from './first/run-tables.ts'
import { trafficTables } from './first/traffic-tables.ts'
import { workflowTables } from './first/workflow-tables.ts'
import type { Migration } from './migration.ts'
import { agentTables } from './second/agent-tables.ts'
import { cancelTables } from './second/cancel-tables.ts'
import { collectionIndexes } from './second/collection-indexes.ts'
import { controlVersions } from './second/control-versions.ts'
import { domainTables, inboundMailTables } from './second/domain-tables.ts'
import { eventTables, lookBackIndexes } from './second/event-tables.ts'
import { inboxTables } from './second/inbox-tables.ts'
import {
  environmentIndexes,
  listIndexes,
  lookUpIndexes,
  lookUpStatistics,
  ownerIndexes,
  unreadIndexes,
} from './second/look-up-indexes.ts'
import { oneQueue, queueOfPgBoss } from './second/one-queue.ts'
import { peopleTables } from './second/people-tables.ts'
import { reportIndexes, reportTables } from './second/report-tables.ts'
import { childColumns, childIndexes, runDrivenColumns } from './second/run-driven-columns.ts'
import { variablesByEnvironment } from './second/variables-by-environment.ts'
import { deliveryIndexes, webhookTables } from './second/webhook-tables.ts'

/** All migrations, in order. New ones are added at the end; none is changed. */
export const migrations: readonly Migration[] = Object.freeze([
  {
    name: '0001-first',
    statements: [
      ...accountTables,
      ...workflowTables,
      ...runTables,
      ...messageTables,
      ...deliveryTables,
      ...trafficTables,
    ],
  },
  { name: '0002-agents', statements: agentTables },
  // Bodies were stored in plain text, including secrets. Their keys are kept, and replayed without a body.
  { name: '0003-sealed-answers', statements: ['update "idempotency" set "body" = null'] },
  { name: '0004-old-collections', statements: collectionIndexes },
  { name: '0005-look-ups', statements: lookUpIndexes, onPostgres: lookUpStatistics },
  { name: '0006-attempts', statements: ['alter table "messages" add column "attempts" smallint not null default 0'] },
  { name: '0007-put-off', statements: ['alter table "messages" add column "retryAt" bigint'] },
  { name: '0008-run-driven', statements: runDrivenColumns },
  { name: '0009-question-by', statements: ['alter table "conversationQuestions" add column "by" text'] },
  { name: '0010-variables-by-environment', statements: variablesByEnvironment },
  { name: '0011-inbox-changes', statements: inboxTables },
  { name: '0012-domains', statements: domainTables },
  { name: '0013-inbound-mails', statements: inboundMailTables },
  { name: '0014-lists', statements: listIndexes },
  { name: '0015-one-queue', statements: oneQueue, onPostgres: queueOfPgBoss },
  {
    name: '0016-hand-overs',
    statements: ['alter table "messages" add column "handOvers" smallint not null default 0'],
  },
  { name: '0017-events', statements: eventTables },
  {
    name: '0018-delivery-hand-overs',
    statements: ['alter table "conversationDeliveries" add column "handOvers" smallint not null default 0'],
  },
  { name: '0019-people', statements: peopleTables },
  { name: '0020-control-versions', statements: controlVersions },
  { name: '0021-webhooks', statements: webhookTables },
  {
    name: '0022-retries',
    statements: ['alter table "jobs" add column "attempts" smallint not null default 0'],
  },
  { name: '0023-delivery-reports', statements: reportTables, indexes: reportIndexes },
  { name: '0024-cancel-on', statements: cancelTables },
  {
    name: '0025-traces',
    statements: ['triggers', 'runs', 'webhookDeliveries'].map(
      (table) => `alter table "${table}" add column "trace" text`,
    ),
  },
  { name: '0026-children', statements: childColumns, indexes: childIndexes },
  {
    name: '0027-descendants',
    statements: [
      'alter table "runs" add column "rootRunId" text',
      'alter table "runs" add column "descendants" integer not null default 0',
    ],
  },
  { name: '0028-bulk-runs', statements: ['alter table "runs" add column "isBulk" smallint not null default 0'] },
  { name: '0029-look-backs', statements: [], indexes: lookBackIndexes },
  { name: '0030-environment-rows', statements: [], indexes: environmentIndexes },
  { name: '0031-old-deliveries', statements: [], indexes: deliveryIndexes },
  { name: '0032-last-failures', statements: ['alter table "webhookEndpoints" add column "lastFailedAt" bigint'] },
  { name: '0033-unread-counts', statements: [], indexes: unreadIndexes },
  { name: '0034-owners', statements: [], indexes: ownerIndexes },
])
