import type { JsonObject, StepReply, StepType } from '@trestle/protocol'
import type { BridgeOutcome } from '../../bridge/bridge-call.ts'
import { runPrepared } from '../../store/prepared.ts'
import type { JobRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { createHistory } from '../base/history.ts'
import { parseObject } from '../base/parse-json.ts'
import { settleReply } from '../decision/settlement.ts'
import { toEmptyResult } from '../decision/stored-state.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun } from '../run/advance-run.ts'
import type { HeldJob } from '../run/held-job.ts'
import { type JobChange, leaveRest, type Settled, writeJob } from '../run/job-change.ts'
import { lockRun } from '../run/lock-run.ts'
import { enterDigest } from '../waits/enter-digest.ts'
import { enterThrottle } from '../waits/enter-throttle.ts'
import { leaveDigests } from '../waits/leave-digests.ts'
import { loadPreferences } from './load-preferences.ts'
import { recordCall } from './record-call.ts'
import { waitForNamedStep } from './wait-for-named-step.ts'

/** The work that is left after a job was settled. */
export interface JobRemainder {
  /** Row ids of messages that must still leave the house; the job is not over before. */
  readonly pending: readonly string[]
  /** When a wait that has begun ends, milliseconds since 1970. */
  readonly dueMs?: number
}

/**
 * Stores what follows from a bridge's answer, in one transaction: the answer, the result, the messages, the history,
 * and the jobs whose turn comes.
 *
 * @param ports - What the engine acts through.
 * @param tx - The session of the transaction.
 * @param given - The job, and how the call of the bridge ended.
 * @returns What is left to do; `undefined` when another process has taken the job over, or it was canceled meanwhile, so
 *   that nothing was stored.
 */
export async function settleJob(
  { queue, clock, channels }: EnginePorts,
  tx: Session,
  { held, outcome }: { readonly held: HeldJob; readonly outcome: BridgeOutcome },
): Promise<JobRemainder | undefined> {
  const nowMs = clock.now()
  const run = await lockRun(tx, held.run.id, nowMs)
  if (!run || !(await isHeld(tx, held))) return undefined
  const history = createHistory(run.environmentId, nowMs)
  const change: JobChange = { tx, run, job: held.job, held, nowMs, history, queue, channels }
  await recordCall(change, outcome)
  const settled = outcome.reply ? await settle(change, outcome.reply) : await fail(change, outcome)
  await writeJob(change, settled)
  if (settled.rest) {
    await leaveDigests(change, settled.rest)
    await leaveRest(change, settled.rest)
  }
  if (settled.status !== 'running') await advanceRun(change)
  await history.write(tx)
  const { dueAt } = settled.patch ?? {}
  return { pending: settled.pending ?? [], ...(dueAt != null && { dueMs: dueAt }) }
}

async function isHeld(tx: Session, { job, claim }: HeldJob): Promise<boolean> {
  const { rows } = await runPrepared(tx, {
    name: 'who holds a job',
    values: [job.id],
    build: () => tx.selectFrom('jobs').select(['claim', 'status']).where('id', '=', job.id),
  })
  const [row] = rows
  return row?.claim === claim && row.status === 'running'
}

async function fail(change: JobChange, { failure }: BridgeOutcome): Promise<Settled> {
  const turn = failure && (await waitForNamedStep(change, failure))
  if (turn) return { status: turn }
  change.history.note(subjectOf(change.job), 'bridgeFailed', failure)
  return { status: 'failed', error: failure }
}

async function settle(change: JobChange, reply: StepReply): Promise<Settled> {
  const { history, run, held, nowMs, tx } = change
  const subject = subjectOf(change.job)
  const { layers, schedule } = asksPreferences(change.job, reply) ? await loadPreferences(tx, run) : nobody
  const settlement = settleReply(reply, {
    type: change.job.type as StepType,
    nowMs,
    payload: parseObject(run.payload),
    overrides: parseObject(run.overrides),
    timezone: held.subscriber.timezone,
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
      history.note(subject, 'waitInvalid', { reason: settlement.reason })
      return { status: 'failed', error: toFault(change.job, 'wait', settlement.reason), outputs: reply.outputs }
    case 'unsendable':
      history.note(subject, 'messageInvalid', { reason: settlement.reason })
      return { status: 'failed', error: toFault(change.job, 'be sent', settlement.reason), outputs: reply.outputs }
    case 'stored':
      history.note(subject, 'stored')
      return { status: 'completed', result: reply.outputs, outputs: reply.outputs }
    case 'unthrottled':
      history.note(subject, 'throttleIncomplete')
      return { status: 'completed', result: toEmptyResult('throttle'), outputs: reply.outputs }
    case 'delivered':
      return deliver(change, reply)
    case 'delay':
    case 'digest':
    case 'throttle':
      if (settlement.wait.timezoneInvalid)
        history.note(subject, 'timezoneInvalid', { timezone: held.subscriber.timezone })
      return enter[settlement.kind](change, reply.outputs, settlement.wait)
  }
}

const nobody = { layers: {}, schedule: undefined } as const

/** Steps that neither send a message nor look at the recipient's schedule do without. */
function asksPreferences({ type }: JobRow, { outputs }: StepReply): boolean {
  if (type === 'delay' || type === 'digest') return outputs['extendToSchedule'] === true
  return type !== 'custom' && type !== 'http_request' && type !== 'throttle'
}

const enter = {
  delay: async (
    change: JobChange,
    outputs: JsonObject,
    wait: { readonly endMs: number; readonly extended: boolean },
  ) => {
    const raw = { waitMs: wait.endMs - change.nowMs, until: new Date(wait.endMs).toISOString() }
    change.history.note(subjectOf(change.job), 'delayed', raw)
    return {
      status: 'delayed',
      outputs,
      patch: { dueAt: wait.endMs, scheduleExtensions: wait.extended ? 1 : 0 },
    } satisfies Settled
  },
  digest: enterDigest,
  throttle: enterThrottle,
}

async function deliver(change: JobChange, { outputs, providers }: StepReply): Promise<Settled> {
  const { tx, run, job, held, nowMs, history, channels } = change
  const subject = subjectOf(job)
  history.note(subject, 'sending')
  const { subscriber } = held
  const stored = await channels.store(tx, { run, job, subscriber, outputs, providers, nowMs })
  for (const note of stored.notes) history.noteDelivery(subject, note)
  const { pending, providerId } = stored
  if (pending.length > 0) return { status: 'running', outputs, pending, patch: { stage: 'sending', providerId } }
  return { status: 'completed', result: toEmptyResult(job.type as StepType), outputs, patch: { providerId } }
}

function subjectOf({ runId, id }: JobRow): { readonly runId: string; readonly jobId: string } {
  return { runId, jobId: id }
}

function toFault({ stepId, type }: JobRow, what: 'wait' | 'be sent', reason: string): JsonObject {
  return {
    code: 'ExecutionStateOutputInvalidError',
    status: 400,
    message: `Step "${stepId}" cannot ${what}: ${reason}.`,
    data: { stepId, type, issues: [{ path: '', message: reason }] },
  }
}
