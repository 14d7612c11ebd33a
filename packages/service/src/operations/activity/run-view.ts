import type { JsonObject } from '@trestle/protocol'
import { refuseLargePage } from '../../api/page-size.ts'
import { type Hide, loadHide } from '../../context/hide-secrets.ts'
import type { CallContext } from '../../context/service-context.ts'
import { compact } from '../../json/json.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { ExecutionDetailRow } from '../../store/schema/trace.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import { groupBy } from '../../store/shared/row-list.ts'
import type { Session } from '../../store/store.ts'

/** The provider shown for steps without one, because clients accept a closed list of names. */
const noProvider = 'novu'

/**
 * Returns runs in the API format, newest first, with steps and execution details, secrets masked.
 *
 * @throws {ApiError} 413 if they are too large for one response.
 */
export async function showRuns(context: CallContext, ids: readonly string[]): Promise<readonly JsonObject[]> {
  const { organizationId, store } = context
  const { db } = store
  if (ids.length === 0) return []
  await refuseLargePage(
    db,
    { table: 'runs', by: 'id', ids, columns: ['payload', 'overrides', 'controls', 'recipient', 'topics'] },
    { table: 'jobs', by: 'runId', ids, columns: ['outputs', 'result', 'error'] },
    { table: 'executionDetails', by: 'runId', ids, columns: ['raw'] },
  )
  const runs = await db.selectFrom('runs').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
  const [jobs, details, subscribers, workflows] = await loadParts(db, runs, ids)
  const hide = await loadHide(context)
  const jobsOf = groupBy(jobs, ({ runId }) => runId)
  const detailsOf = groupBy(details, ({ jobId }) => jobId ?? '')
  return runs.map((run) =>
    toRun(run, {
      organizationId,
      hide,
      jobs: jobsOf.get(run.id) ?? [],
      detailsOf,
      subscriber: subscribers.find(({ id }) => id === run.subscriberId),
      workflow: workflows.find(({ id }) => id === run.workflowId),
    }),
  )
}

function loadParts(db: Session, runs: readonly RunRow[], ids: readonly string[]) {
  const subscriberIds = [...new Set(runs.map(({ subscriberId }) => subscriberId))]
  const workflowIds = [...new Set(runs.map(({ workflowId }) => workflowId))]
  return Promise.all([
    db.selectFrom('jobs').selectAll().where('runId', 'in', ids).orderBy('position').execute(),
    db.selectFrom('executionDetails').selectAll().where('runId', 'in', ids).orderBy('id').execute(),
    db.selectFrom('subscribers').selectAll().where('id', 'in', subscriberIds).execute(),
    db.selectFrom('workflows').selectAll().where('id', 'in', workflowIds).execute(),
  ] as const)
}

interface RunParts {
  readonly organizationId: string
  readonly hide: Hide
  readonly jobs: readonly JobRow[]
  /** The execution details of each step. */
  readonly detailsOf: ReadonlyMap<string, readonly ExecutionDetailRow[]>
  readonly subscriber: SubscriberRow | undefined
  readonly workflow: WorkflowRow | undefined
}

function toRun(run: RunRow, { organizationId, hide, jobs, detailsOf, subscriber, workflow }: RunParts): JsonObject {
  return compact({
    _id: run.id,
    _environmentId: run.environmentId,
    _organizationId: organizationId,
    _subscriberId: run.subscriberId,
    _templateId: run.workflowId,
    _digestedNotificationId: run.digestedRunId ?? undefined,
    _parentNotificationId: run.parentRunId ?? undefined,
    transactionId: run.transactionId,
    status: run.status,
    channels: JSON.parse(run.channels),
    subscriber: subscriber && toPerson(subscriber),
    template: workflow && toTemplate(workflow),
    jobs: jobs.map((job) => toJob(job, detailsOf.get(job.id) ?? [], hide)),
    payload: hide(JSON.parse(run.payload)),
    overrides: hide(JSON.parse(run.overrides)),
    tags: hide(JSON.parse(run.tags)),
    controls: hide(JSON.parse(run.controls)),
    to: hide(JSON.parse(run.recipient)),
    topics: hide(JSON.parse(run.topics)),
    severity: run.severity,
    critical: run.critical === 1,
    contextKeys: JSON.parse(run.contextKeys),
    createdAt: new Date(run.createdAt).toISOString(),
    updatedAt: new Date(run.updatedAt).toISOString(),
  })
}

function toPerson({ id, subscriberId, firstName, lastName, email, phone }: SubscriberRow): JsonObject {
  return compact({
    _id: id,
    subscriberId,
    firstName: firstName ?? undefined,
    lastName: lastName ?? undefined,
    email: email ?? undefined,
    phone: phone ?? undefined,
  })
}

function toTemplate({ id, name, identifier, origin }: WorkflowRow): JsonObject {
  const triggers = [{ type: 'event', identifier, variables: [], subscriberVariables: [] }]
  return { _id: id, name, triggers, origin: origin === 'external' ? 'external' : 'novu-cloud' }
}

function toJob(job: JobRow, details: readonly ExecutionDetailRow[], hide: Hide): JsonObject {
  return compact({
    _id: job.id,
    type: job.type,
    status: job.status,
    providerId: job.providerId ?? noProvider,
    step: { _id: job.id, _templateId: job.id, active: true, filters: [], stepId: job.stepId },
    executionDetails: details.map((detail) => toDetail(detail, hide)),
    scheduleExtensionsCount: job.scheduleExtensions,
    dueAt: job.dueAt === null ? undefined : new Date(job.dueAt).toISOString(),
    outputs: job.outputs === null ? undefined : hide(JSON.parse(job.outputs)),
    result: job.result === null ? undefined : hide(JSON.parse(job.result)),
    error: job.error === null ? undefined : hide(JSON.parse(job.error)),
    updatedAt: new Date(job.updatedAt).toISOString(),
  })
}

/** Returns an execution detail as it is shown in a step. */
export function toDetail(row: ExecutionDetailRow, hide: Hide): JsonObject {
  return compact({
    _id: row.id,
    status: row.status,
    detail: hide(row.detail),
    source: row.source,
    isRetry: row.isRetry === 1,
    isTest: row.isTest === 1,
    providerId: row.providerId ?? undefined,
    raw: hide(row.raw ?? undefined),
    createdAt: new Date(row.createdAt).toISOString(),
  })
}
