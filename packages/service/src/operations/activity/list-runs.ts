import { type RawBuilder, sql } from 'kysely'
import { holds, holdsAnyCase } from '../../store/holds.ts'
import type { RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'

/** The statuses by which runs can be filtered. Completed runs with an unsent message match `warning` only. */
export const foundStatuses = ['running', 'completed', 'warning', 'failed', 'merged', 'canceled'] as const

/** Filters of a list of runs. */
export interface RunFilter {
  /** Step types; the run must have at least one of them. */
  readonly channels?: readonly string[] | undefined
  /** Row ids of workflows. */
  readonly templates?: readonly string[] | undefined
  /** Identifiers of workflows. */
  readonly workflowIds?: readonly string[] | undefined
  /** Statuses; `completed` excludes runs that match `warning`. */
  readonly statuses?: readonly string[] | undefined
  /** Code of an error of the run, a step or a message. */
  readonly errorCode?: string | undefined
  /** Email addresses of recipients, case-insensitive. */
  readonly emails?: readonly string[] | undefined
  /** Subscriber ids of recipients. */
  readonly subscriberIds?: readonly string[] | undefined
  readonly severity?: readonly string[] | undefined
  /** Contexts (`type:id`); the run must have all of them. */
  readonly contextKeys?: readonly string[] | undefined
  /** A substring of the transaction id, the subscriber id or the workflow identifier. */
  readonly search?: string | undefined
  /** The same, or a substring of the recipient's name, email address or phone number. */
  readonly searchAll?: string | undefined
  readonly transactionId?: readonly string[] | undefined
  /** The key of a topic that the trigger addressed. */
  readonly topicKey?: string | undefined
  /** The id or identifier of a topic subscription of the recipient. */
  readonly subscriptionId?: string | undefined
  /** The earliest time, in milliseconds since 1970. */
  readonly after?: number | undefined
  /** The latest time, in milliseconds since 1970. */
  readonly before?: number | undefined
}

/** Filters and a page of a list of runs. */
interface RunPage extends RunFilter {
  /** The page, from 0. */
  readonly page: number
  /** The maximum number of runs per page. */
  readonly limit: number
}

/** Returns the ids of a page of runs, newest first, plus one more if there is a next page. */
export async function listRunIds(db: Session, environmentId: string, filter: RunPage): Promise<readonly string[]> {
  const conditions = toConditions(environmentId, filter)
  const { rows } = await sql<Pick<RunRow, 'id'>>`select "id" from "runs" where ${sql.join(conditions, sql` and `)}
    order by "id" desc limit ${filter.limit + 1} offset ${filter.page * filter.limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Returns the conditions that the requested runs of an environment meet.
 *
 * @param environmentId - Row id of the environment.
 * @param filter - The filters.
 */
export function toConditions(environmentId: string, filter: RunFilter): readonly RawBuilder<unknown>[] {
  const { channels, templates, emails, subscriberIds, severity, contextKeys, transactionId } = filter
  const { topicKey, subscriptionId, after, before } = filter
  const conditions: (RawBuilder<unknown> | undefined)[] = [
    sql`"environmentId" = ${environmentId}`,
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
          and ("id" = ${subscriptionId} or "identifier" = ${subscriptionId})
          and exists (select 1 from "topics" where "topics"."id" = "topicSubscriptions"."topicId"))`,
    after === undefined ? undefined : sql`"createdAt" >= ${after}`,
    before === undefined ? undefined : sql`"createdAt" <= ${before}`,
    ...toTextConditions(environmentId, filter),
    ...toOutcomeConditions(filter),
  ]
  return conditions.filter((condition) => condition !== undefined)
}

function toTextConditions(
  environmentId: string,
  { search, searchAll }: RunFilter,
): (RawBuilder<unknown> | undefined)[] {
  const inRun = (part: string) => anyHolds(['transactionId', 'externalSubscriberId', 'workflowIdentifier'], part)
  const inSubscriber = (part: string) =>
    sql`"subscriberId" in (select "id" from "subscribers" where "environmentId" = ${environmentId} and ${anyHolds(
      ['email', 'firstName', 'lastName', 'phone'],
      part,
    )})`
  return [
    search === undefined ? undefined : inRun(search),
    searchAll === undefined ? undefined : sql`(${inRun(searchAll)} or ${inSubscriber(searchAll)})`,
  ]
}

/**
 * Returns the condition that at least one column contains a text, ignoring case.
 *
 * @param columns - The column names.
 * @param part - The text.
 */
export function anyHolds(columns: readonly string[], part: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(
    columns.map((column) => holdsAnyCase(sql.ref(column), part)),
    sql` or `,
  )})`
}

/** Whether a message of a run was not sent. */
export const hasWarnings: RawBuilder<boolean> = sql<boolean>`exists (select 1 from "messages"
  where "messages"."runId" = "runs"."id" and "messages"."status" in ('warning', 'error'))`

function toOutcomeConditions(filter: RunFilter): (RawBuilder<unknown> | undefined)[] {
  const { workflowIds, statuses, errorCode } = filter
  const code = errorCode === undefined ? '' : `"code":${JSON.stringify(errorCode)}`
  return [
    workflowIds && sql`"workflowIdentifier" in ${list(workflowIds)}`,
    statuses && sql`(${sql.join(statuses.map(toStatusCondition), sql` or `)})`,
    errorCode === undefined
      ? undefined
      : sql`(exists (select 1 from "messages" where "messages"."runId" = "runs"."id" and "errorId" = ${errorCode})
          or ("status" = 'failed' and (
            exists (select 1 from "jobs" where "jobs"."runId" = "runs"."id" and ${holds(sql.ref('jobs.error'), code)})
            or exists (select 1 from "executionDetails" as "line" where "line"."runId" = "runs"."id"
              and "line"."jobId" is null and "line"."status" = 'Failed' and ${holds(sql.ref('line.raw'), code)}))))`,
  ]
}

function toStatusCondition(status: string): RawBuilder<unknown> {
  if (status === 'warning') return sql`("status" = 'completed' and ${hasWarnings})`
  if (status === 'completed') return sql`("status" = 'completed' and not ${hasWarnings})`
  return sql`"status" = ${status}`
}

const list = (values: readonly string[]): RawBuilder<unknown> =>
  sql`(${values.length === 0 ? sql`null` : sql.join(values)})`
