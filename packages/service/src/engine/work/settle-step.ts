import { isOfClass, type JsonObject, type StepReply, type StepTypeOf } from '@trestle/protocol'
import { type SettledWait, settleReply, toEmptyResult, toSettlementFault } from '@trestle/run-rules'
import type { JobRow } from '../../store/schema/run.ts'
import { parseObject } from '../base/parse-json.ts'
import { enterEventWait } from '../events/enter-event-wait.ts'
import type { Content } from '../port/channel-port.ts'
import { advanceRun } from '../run/advance-run.ts'
import { closeRun } from '../run/close-run.ts'
import { recordMessageEnd } from '../run/fail-messages.ts'
import { endRemaining, type JobChange, type Settled, writeJob } from '../run/job-change.ts'
import { markHandled } from '../run/mark-handled.ts'
import { endDigests } from '../waits/end-digests.ts'
import { enterDigest } from '../waits/enter-digest.ts'
import { enterThrottle } from '../waits/enter-throttle.ts'
import { enterTrigger } from '../waits/enter-trigger.ts'
import { loadPreferences } from './load-preferences.ts'

/** The work that remains after a job was settled. */
export interface JobRemainder {
  /** Row ids of messages that must be sent before the job has ended. */
  readonly pending: readonly string[]
  /** The end of a started wait, in milliseconds since 1970. */
  readonly dueMs?: number
  /** The updated job. */
  readonly job: JobRow
}

/** Stores the outcome of a job, and advances its run. */
export async function applySettled(change: JobChange, settled: Settled): Promise<JobRemainder> {
  const job = await writeJob(change, settled)
  let advanced = change
  if (settled.rest) {
    await endDigests(change, settled.rest)
    await endRemaining(change, settled.rest)
    advanced = await closeRun(change, 'done')
  }
  if (settled.status !== 'running') await advanceRun(advanced)
  const { dueAt } = settled.patch ?? {}
  return { job, pending: settled.pending ?? [], ...(dueAt != null && { dueMs: dueAt }) }
}

/**
 * Decides the outcome of a job after its bridge has answered, and stores the resulting messages or wait.
 *
 * @param reply - The reply.
 * @param content - The content of its message.
 */
export async function settleStep(change: JobChange, reply: StepReply, content?: Content): Promise<Settled> {
  const { history, run, subscriber, nowMs, tx } = change
  const subject = subjectOf(change.job)
  const { layers, schedule } = needsPreferences(change.job, reply) ? await loadPreferences(tx, run) : noPreferences
  const settlement = settleReply(reply, {
    type: change.job.type,
    nowMs,
    payload: parseObject(run.payload),
    overrides: parseObject(run.overrides),
    timezone: subscriber.timezone,
    schedule,
    preferences: layers,
    critical: run.critical === 1,
  })
  history.note(subject, 'bridgeAnswered', reply.metadata)
  switch (settlement.kind) {
    case 'skipped':
      history.note(subject, 'skipped')
      return { status: 'skipped' }
    case 'filtered':
      history.note(subject, 'filtered', { preferences: settlement.source })
      return { status: 'skipped' }
    case 'invalid':
      history.note(subject, change.job.type === 'trigger' ? 'childrenRefused' : 'waitInvalid', {
        reason: settlement.reason,
      })
      return { status: 'failed', error: toSettlementFault(change.job, settlement), outputs: reply.outputs }
    case 'unsendable':
      history.note(subject, 'messageInvalid', { reason: settlement.reason })
      return { status: 'failed', error: toSettlementFault(change.job, settlement), outputs: reply.outputs }
    case 'triggered':
      return enterTrigger(change, reply.outputs)
    case 'stored':
      history.note(subject, 'stored')
      return { status: 'completed', result: reply.outputs, outputs: reply.outputs }
    case 'unthrottled':
      history.note(subject, 'throttleIncomplete')
      return { status: 'completed', result: toEmptyResult('throttle'), outputs: reply.outputs }
    case 'delivered':
      return deliver(change, reply, content)
    case 'delay':
    case 'digest':
    case 'wait_for_event':
    case 'throttle':
      if (settlement.wait.timezoneInvalid) history.note(subject, 'timezoneInvalid', { timezone: subscriber.timezone })
      return endRest(change, reply, await enterWait[settlement.kind](change, reply.outputs, settlement.wait))
  }
}

/** If a throttle ends the run, the bridge is not called again, and cannot name handled failures later. */
async function endRest(change: JobChange, { metadata }: StepReply, settled: Settled): Promise<Settled> {
  const { handled } = metadata
  if (settled.rest?.status !== 'skipped' || !Array.isArray(handled)) return settled
  const { tx, run } = change
  const failed = tx.selectFrom('jobs').select(['id', 'stepId', 'status']).where('runId', '=', run.id)
  await markHandled(change, await failed.where('status', '=', 'failed').execute(), handled)
  return settled
}

const noPreferences = { layers: {}, schedule: undefined } as const

/** Only messages, and waits that extend to the recipient's schedule, need preferences. */
function needsPreferences({ type }: JobRow, { outputs }: StepReply): boolean {
  return isOfClass(type, 'message') || (isOfClass(type, 'wait') && outputs['extendToSchedule'] === true)
}

type EnterWait = (change: JobChange, outputs: JsonObject, wait: SettledWait) => Promise<Settled>

const enterWait: Readonly<Record<StepTypeOf<'wait' | 'throttle'>, EnterWait>> = {
  delay: async (change, outputs, wait) => {
    const raw = { waitMs: wait.endMs - change.nowMs, until: new Date(wait.endMs).toISOString() }
    change.history.note(subjectOf(change.job), 'delayed', raw)
    return {
      status: 'delayed',
      outputs,
      patch: { dueAt: wait.endMs, scheduleExtensions: wait.extended ? 1 : 0 },
    }
  },
  digest: enterDigest,
  wait_for_event: enterEventWait,
  throttle: enterThrottle,
}

async function deliver(change: JobChange, { outputs }: StepReply, content: Content | undefined): Promise<Settled> {
  if (!content) throw new Error('The content of a message must be created before its step is settled.')
  const { tx, run, job, subscriber, nowMs, history, channels } = change
  const subject = subjectOf(job)
  history.note(subject, 'sending')
  const delivery = await channels.store(tx, { run, job, subscriber, content, nowMs })
  for (const note of delivery.notes) history.noteDelivery(subject, note)
  for (const message of delivery.settled ?? []) await recordMessageEnd(change, message)
  const { pending, providerId, unreachable } = delivery
  if (unreachable) {
    history.note(subject, 'unreachable')
    return { status: 'skipped', outputs, patch: { providerId } }
  }
  if (pending.length > 0) return { status: 'running', outputs, pending, patch: { stage: 'sending', providerId } }
  return { status: 'completed', result: toEmptyResult(job.type), outputs, patch: { providerId } }
}

/** Returns the subject of a job's history entries. */
export function subjectOf({ runId, id }: JobRow): { readonly runId: string; readonly jobId: string } {
  return { runId, jobId: id }
}
