import type { JsonObject } from '@trestle/protocol'
import { refuseLargePage } from '../../api/page-size.ts'
import { hideSecrets } from '../../context/hide-secrets.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { JobStep } from '../../engine/run/held-job.ts'
import { toMessage } from '../../messages/to-message.ts'
import { loadReports } from '../../reports/load-reports.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { ExecutionDetailRow } from '../../store/schema/trace.ts'
import type { StoredStep } from '../../store/schema/workflow.ts'
import { loadFamily } from '../activity/run-family.ts'
import { showCall } from './show-call.ts'
import { loadReasonRows, toRunReason, toStepReason, toUnreached } from './step-reason.ts'

/** The maximum number of history entries, calls and messages per run. Ordinary workflows have far fewer. */
const maxRows = 2000

type ShownStep = Pick<JobRow, 'id' | 'stepId' | 'type' | 'status' | 'dueAt' | 'parallelGroup' | 'wave'>

/** Returns a step of a run in the format of lists. */
export function toStep({ id, stepId, type, status, dueAt, ...job }: ShownStep): JsonObject {
  return { _id: id, stepId, type, status, parallelGroup: job.parallelGroup, wave: job.wave, dueAt: toIso(dueAt) }
}

/**
 * Returns a run with all its data. Values of secret variables are masked.
 *
 * @throws {ApiError} 413 if it is too large for one response.
 */
export async function showRun(context: CallContext, run: RunRow): Promise<JsonObject> {
  const { store, organizationId } = context
  const { db } = store
  const ids = [run.id]
  await refuseLargePage(
    db,
    { table: 'jobs', by: 'runId', ids, columns: ['outputs', 'result', 'error'] },
    { table: 'executionDetails', by: 'runId', ids, columns: ['raw'] },
    { table: 'bridgeCalls', by: 'runId', ids, columns: ['request', 'reply'] },
    { table: 'messages', by: 'runId', ids, columns: ['payload', 'overrides', 'content', 'data'] },
  )
  const [jobs, details, calls, messages, workflow, rows, reports, family] = await Promise.all([
    db.selectFrom('jobs').selectAll().where('runId', '=', run.id).orderBy('position').limit(maxRows).execute(),
    db.selectFrom('executionDetails').selectAll().where('runId', '=', run.id).orderBy('id').limit(maxRows).execute(),
    db.selectFrom('bridgeCalls').selectAll().where('runId', '=', run.id).orderBy('id').limit(maxRows).execute(),
    db.selectFrom('messages').selectAll().where('runId', '=', run.id).orderBy('id').limit(maxRows).execute(),
    db.selectFrom('workflows').select(['name', 'steps']).where('id', '=', run.workflowId).executeTakeFirst(),
    loadReasonRows(db, [run.id]),
    loadReports(db, { by: 'runId', ids: [run.id] }),
    loadFamily(db, run),
  ])
  const workflowSteps = JSON.parse(workflow?.steps ?? '[]') as readonly StoredStep[]
  return hideSecrets(context, {
    ...toHead(run),
    ...family,
    workflowName: workflow?.name ?? run.workflowIdentifier,
    workflowExists: workflow !== undefined,
    hasWarnings: rows.warned.has(run.id),
    reason: run.status === 'failed' ? toRunReason(run.id, rows) : null,
    steps: jobs.map((job) => ({ ...toWholeStep(job), reason: toStepReason({ run, job }, rows) })),
    unreached: toUnreached(run, workflowSteps, jobs),
    details: details.map(toDetail),
    calls: calls.map(showCall),
    messages: messages.map((message) => toMessage(message, { organizationId, reports: reports.get(message.id) ?? [] })),
  })
}

function toHead(run: RunRow): JsonObject {
  return {
    _id: run.id,
    workflowId: run.workflowIdentifier,
    transactionId: run.transactionId,
    subscriberId: run.externalSubscriberId,
    status: run.status,
    payload: JSON.parse(run.payload),
    overrides: JSON.parse(run.overrides),
    to: JSON.parse(run.recipient),
    actor: parse(run.actor),
    tenant: parse(run.tenant),
    context: parse(run.context),
    topics: JSON.parse(run.topics),
    tags: JSON.parse(run.tags),
    severity: run.severity,
    critical: run.critical === 1,
    controls: JSON.parse(run.controls),
    bridgeUrl: run.bridgeUrl,
    digestedRunId: run.digestedRunId,
    createdAt: toIso(run.createdAt),
    updatedAt: toIso(run.updatedAt),
    finishedAt: toIso(run.finishedAt),
  }
}

function toWholeStep(job: JobRow): JsonObject {
  return {
    ...toStep(job),
    stage: job.stage,
    providerId: job.providerId,
    mergedIntoId: job.mergedIntoId,
    reusedFrom: (JSON.parse(job.step) as JobStep).reusedFrom?.runId ?? null,
    outputs: parse(job.outputs),
    result: parse(job.result),
    error: parse(job.error),
    createdAt: toIso(job.createdAt),
    calledAt: toIso(job.calledAt),
    endedAt: toIso(job.endedAt),
    updatedAt: toIso(job.updatedAt),
  }
}

function toDetail({
  id,
  jobId,
  messageId,
  status,
  detail,
  source,
  providerId,
  raw,
  isRetry,
  createdAt,
}: ExecutionDetailRow) {
  return {
    ...{ _id: id, _jobId: jobId, _messageId: messageId, status, detail, source, providerId },
    ...{ raw: parse(raw), isRetry: isRetry === 1, createdAt: toIso(createdAt) },
  }
}

const parse = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
const toIso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
