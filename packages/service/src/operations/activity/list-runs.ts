import { type RawBuilder, sql } from 'kysely'
import { holds, holdsAnyCase } from '../../store/holds.ts'
import type { RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'

/** Filters of a list of runs. */
export interface RunFilter {
  /** The page, from 0. */
  readonly page: number
  /** The maximum number of runs per page. */
  readonly limit: number
  /** Step types; the run must have at least one of them. */
  readonly channels?: readonly string[] | undefined
  /** Row ids of workflows. */
  readonly templates?: readonly string[] | undefined
  /** Email addresses of recipients, case-insensitive. */
  readonly emails?: readonly string[] | undefined
  /** Subscriber ids of recipients. */
  readonly subscriberIds?: readonly string[] | undefined
  readonly severity?: readonly string[] | undefined
  /** Contexts (`type:id`); the run must have all of them. */
  readonly contextKeys?: readonly string[] | undefined
  /** A substring of the transaction id, the subscriber id or the workflow identifier. */
  readonly search?: string | undefined
  readonly transactionId?: readonly string[] | undefined
  /** The key of a topic that the trigger addressed. */
  readonly topicKey?: string | undefined
  /** The id or identifier of a topic subscription of the recipient. */
  readonly subscriptionId?: string | undefined
  /** The earliest time, milliseconds since 1970. */
  readonly after?: number | undefined
  /** The latest time, milliseconds since 1970. */
  readonly before?: number | undefined
}

/** Returns a page of runs, newest first, plus one more run if there is a next page. */
export async function listRuns(db: Session, environmentId: string, filter: RunFilter): Promise<readonly RunRow[]> {
  const conditions = [sql`"environmentId" = ${environmentId}`, ...toConditions(environmentId, filter)]
  const { rows } = await sql<RunRow>`select * from "runs" where ${sql.join(conditions, sql` and `)}
    order by "id" desc limit ${filter.limit + 1} offset ${filter.page * filter.limit}`.execute(db)
  return rows
}

function toConditions(environmentId: string, filter: RunFilter): readonly RawBuilder<unknown>[] {
  const { channels, templates, emails, subscriberIds, severity, contextKeys, transactionId } = filter
  const { search, topicKey, subscriptionId, after, before } = filter
  const conditions: (RawBuilder<unknown> | undefined)[] = [
    templates && sql`"workflowId" in ${list(templates)}`,
    subscriberIds && sql`"externalSubscriberId" in ${list(subscriberIds)}`,
    severity && sql`"severity" in ${list(severity)}`,
    transactionId && sql`"transactionId" in ${list(transactionId)}`,
    emails &&
      sql`"subscriberId" in (select "id" from "subscribers" where "environmentId" = ${environmentId} and lower("email") in (${sql.join(emails.map((email) => sql`lower(${email})`))}))`,
    channels &&
      sql`(${sql.join(
        channels.map((channel) => holds(sql.ref('channels'), JSON.stringify(channel))),
        sql` or `,
      )})`,
    contextKeys &&
      sql`(${sql.join(
        contextKeys.map((key) => holds(sql.ref('contextKeys'), JSON.stringify(key))),
        sql` and `,
      )})`,
    topicKey === undefined ? undefined : holds(sql.ref('topics'), `"topicKey":${JSON.stringify(topicKey)}`),
    subscriptionId === undefined
      ? undefined
      : sql`"subscriberId" in (select "subscriberId" from "topicSubscriptions" where "environmentId" = ${environmentId}
          and ("id" = ${subscriptionId} or "identifier" = ${subscriptionId}))`,
    after === undefined ? undefined : sql`"createdAt" >= ${after}`,
    before === undefined ? undefined : sql`"createdAt" <= ${before}`,
    search === undefined
      ? undefined
      : sql`(${holdsAnyCase(sql.ref('transactionId'), search)} or ${holdsAnyCase(sql.ref('externalSubscriberId'), search)} or ${holdsAnyCase(sql.ref('workflowIdentifier'), search)})`,
  ]
  return conditions.filter((condition) => condition !== undefined)
}

const list = (values: readonly string[]): RawBuilder<unknown> =>
  sql`(${values.length === 0 ? sql`null` : sql.join(values)})`
