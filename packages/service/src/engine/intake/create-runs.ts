import type { JsonObject } from '@trestle/protocol'
import { toComposedStep } from '../../compose/composed-step.ts'
import type { Queue } from '../../queue/queue.ts'
import { createId } from '../../store/create-id.ts'
import { insertPrepared } from '../../store/prepared.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { startRunSpan } from '../../traces/engine-spans.ts'
import { toStoredSpan } from '../../traces/spans.ts'
import type { History } from '../base/history.ts'
import { isOver } from '../decision/job-view.ts'
import { planJobs } from '../decision/plan.ts'
import { toCancelWatches } from '../events/cancel-watches.ts'
import type { JobStep } from '../run/held-job.ts'
import { type JobDraft, toCopiedJobRow, toJobRow } from '../run/job-row.ts'
import { toRunWork } from '../run/lane.ts'
import { toEventSubscriber } from '../work/step-event.ts'
import type { ResolvedRecipient } from './next-recipients.ts'
import type { TriggerPlan } from './trigger-plan.ts'
import type { RunParent, RunStart } from './trigger-request.ts'

/** Dependencies for creating runs within one transaction. */
export interface RunCreation {
  readonly tx: Session
  readonly nowMs: number
  readonly history: History
  readonly queue: Pick<Queue, 'add'>
  /** Whether the work of the runs comes after other work. */
  readonly isBulk: RunRow['isBulk']
  /** Whether the trigger has more runs than these. */
  readonly isLarge: boolean
}

// A row has up to 40 columns, and each column is a parameter. PostgreSQL allows 65535 parameters per statement, SQLite
// 32766.
const rowsPerInsert = 500

/**
 * Creates a run for each recipient, and queues its first work: its first jobs, a call that asks the bridge for the
 * next step, or the search for an event that cancels it. Does nothing for a recipient who already has a run of the trigger.
 *
 * @param plan - The common properties of the runs.
 */
export async function createRuns(
  creation: RunCreation,
  plan: TriggerPlan,
  recipients: readonly ResolvedRecipient[],
): Promise<void> {
  if (recipients.length === 0) return
  const { tx, nowMs, history, queue, isBulk, isLarge } = creation
  const { isBridgeDriven } = plan
  const createdRuns = await insertRuns(
    tx,
    recipients.map((recipient) => toRun(plan, recipient, { isBulk, nowMs })),
    isLarge,
  )
  const jobs = createdRuns.flatMap(({ id }) => toJobs(plan, id, nowMs))
  for (let at = 0; at < jobs.length; at += rowsPerInsert)
    await insertPrepared(tx, 'jobs', jobs.slice(at, at + rowsPerInsert))
  for (const job of jobs) noteCreation(history, job, plan.request.startFrom)
  const first = jobs.filter(({ status }) => status === 'queued')
  for (const { id, runId } of first) history.note({ runId, jobId: id }, 'queued')
  const runIds = createdRuns.map(({ id }) => id)
  const watches = toCancelWatches(plan, runIds, nowMs)
  for (let at = 0; at < watches.length; at += rowsPerInsert)
    await insertPrepared(tx, 'cancelWatches', watches.slice(at, at + rowsPerInsert))
  const ofRun = watches.length > 0 ? 'start' : 'next'
  const owner = { ...plan.trigger, isBulk }
  const items =
    isBridgeDriven || watches.length > 0
      ? runIds.map((id) => toRunWork(owner, ofRun, id))
      : first.map(({ id }) => toRunWork(owner, 'job', id))
  await queue.add(tx, items)
}

/** Returns the runs that did not exist yet. Only these have a span. */
async function insertRuns(
  tx: Session,
  runs: readonly Omit<RunRow, 'trace'>[],
  isLarge: boolean,
): Promise<readonly Pick<RunRow, 'id'>[]> {
  const started = runs.map((run) => ({ run, span: startRunSpan(run, isLarge) }))
  const created = await tx
    .insertInto('runs')
    .values(started.map(({ run, span }) => ({ ...run, trace: toStoredSpan(span) })))
    .onConflict((conflict) => conflict.columns(['triggerId', 'externalSubscriberId']).doNothing())
    .returning('id')
    .execute()
  const createdIds = new Set(created.map(({ id }) => id))
  for (const { run, span } of started) if (createdIds.has(run.id)) span.end()
  return created
}

function noteCreation(history: History, job: JobRow, startFrom: RunStart | undefined): void {
  const subject = { runId: job.runId, jobId: job.id }
  if (isOver(job)) history.note(subject, 'reused', { runId: startFrom?.runId })
  else history.note(subject, 'created')
}

function toRun(
  plan: TriggerPlan,
  { subscriber, fields, topics }: ResolvedRecipient,
  { isBulk, nowMs }: Pick<RunCreation, 'isBulk' | 'nowMs'>,
): Omit<RunRow, 'trace'> {
  const { trigger, request, workflow, steps, isBridgeDriven, keptJobs } = plan
  const isEmpty = !isBridgeDriven && steps.length === 0
  return {
    id: createId(nowMs),
    environmentId: trigger.environmentId,
    triggerId: trigger.id,
    transactionId: trigger.transactionId,
    workflowId: workflow.id,
    workflowIdentifier: workflow.identifier,
    subscriberId: subscriber.id,
    externalSubscriberId: subscriber.subscriberId,
    status: isEmpty ? 'completed' : 'running',
    payload: JSON.stringify(request.payload ?? {}),
    overrides: JSON.stringify(request.overrides ?? {}),
    actor: toText(plan.actor?.snapshot),
    tenant: toText(plan.tenant),
    context: plan.contextKeys.length === 0 ? null : JSON.stringify(plan.context),
    contextKeys: JSON.stringify(plan.contextKeys),
    topics: JSON.stringify(topics),
    recipient: JSON.stringify({ ...fields, ...toEventSubscriber(subscriber) }),
    bridgeUrl: request.bridgeUrl ?? null,
    tags: workflow.tags,
    channels: JSON.stringify([...new Set([...steps, ...keptJobs].map(({ type }) => type))]),
    severity: workflow.severity,
    critical: workflow.critical,
    controls: JSON.stringify(plan.controls),
    digestedRunId: null,
    // Later results come after the copied ones.
    sequence: Math.max(0, ...keptJobs.map(({ completedOrder }) => completedOrder ?? 0)),
    next: isBridgeDriven ? 'due' : null,
    nextClaim: null,
    nextFailures: 0,
    isBulk,
    ...toParent(request.parent),
    descendants: 0,
    createdAt: nowMs,
    updatedAt: nowMs,
    finishedAt: isEmpty ? nowMs : null,
  }
}

function toParent(
  parent: RunParent | undefined,
): Pick<RunRow, 'parentRunId' | 'parentJobId' | 'isAwaited' | 'depth' | 'rootRunId'> {
  if (!parent) return { parentRunId: null, parentJobId: null, isAwaited: 0, depth: 0, rootRunId: null }
  const { runId, jobId, depth, isAwaited, rootRunId } = parent
  return { parentRunId: runId, parentJobId: jobId, isAwaited: isAwaited ? 1 : 0, depth: depth + 1, rootRunId }
}

/** Returns the first jobs of a run: the copied ones, and all listed ones unless the bridge decides the next step. */
function toJobs(plan: TriggerPlan, runId: string, nowMs: number): readonly JobRow[] {
  const { steps, keptJobs } = plan
  if (plan.isBridgeDriven)
    return keptJobs.map((job, position) => toCopiedJobRow(job, { runId, position, wave: job.wave, nowMs }))
  const sources = new Map(keptJobs.map((job) => [job.stepId, job]))
  const planned = planJobs(steps)
  const firstWave = planned.find(({ step }) => !sources.has(step.stepId))?.wave
  return planned.map(({ step, position, wave }) => {
    const place = { runId, position, wave, nowMs }
    const source = sources.get(step.stepId)
    return source
      ? toCopiedJobRow(source, place)
      : toJob(plan, { ...place, step, status: wave === firstWave ? 'queued' : 'pending' })
  })
}

interface Planned extends Pick<JobDraft, 'runId' | 'position' | 'wave' | 'status' | 'nowMs'> {
  readonly step: TriggerPlan['steps'][number]
}

function toJob({ trigger, workflow, request }: TriggerPlan, { step, ...place }: Planned): JobRow {
  const { id, stepId, name, type, parallelGroup } = step
  const composed = request.bridgeUrl === undefined ? toComposedStep(workflow, step) : undefined
  const definition: JobStep = { id, stepId, name, type, ...(composed && { composed }) }
  return toJobRow({ environmentId: trigger.environmentId, ...place, step: definition, parallelGroup })
}

function toText(value: JsonObject | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
