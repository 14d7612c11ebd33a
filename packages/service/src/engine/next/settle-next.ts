import { isRetriedCode } from '@trestle/bridge-client'
import { isOfClass, isStepType, type NextReply, type NextStepReply, type OpenStep } from '@trestle/protocol'
import type { BridgeFailure, BridgeOutcome } from '../../bridge/bridge-call.ts'
import { isStepId } from '../../bridge/workflows/check-manifests.ts'
import { isObject } from '../../json/json.ts'
import type { JobRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { isClosed } from '../decision/job-view.ts'
import { isActive, onlyDispatches, toNextTurn } from '../decision/next-turn.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun, type NextCall, queueNext } from '../run/advance-run.ts'
import { endOverRun, endRun } from '../run/close-run.ts'
import { loadRuns, loadSubscribers } from '../run/held-job.ts'
import type { HeldRun } from '../run/held-run.ts'
import { type JobChange, type Settled, writeJob } from '../run/job-change.ts'
import { toLane } from '../run/lane.ts'
import { recordCall } from '../work/record-call.ts'
import { applySettled, type JobRemainder, settleStep, subjectOf } from '../work/settle-step.ts'
import { dispatchSteps, loadNextJobs, startJob } from './dispatch-steps.ts'
import { learnFrom } from './learn-from.ts'
import { type NextChange, openNextChange } from './next-change.ts'
import { findReplyFault, type RunFault, toNamedSteps } from './reply-fault.ts'

/** How a call that asked what comes next ended. */
export interface NextOutcome {
  /** The run, as it was taken for the call. */
  readonly held: HeldRun
  /** The answer, or the failure. */
  readonly outcome: BridgeOutcome<NextReply>
  /** How many steps a run may have. */
  readonly maxSteps: number
  /** The next call, if this process may make it. */
  readonly nextCall: NextCall | undefined
}

/** What is left to do after a call was stored. */
export interface NextRemainder {
  /** When a wait that has begun ends, milliseconds since 1970. */
  readonly dueMs?: number | undefined
  /** The run, taken for its next call. */
  readonly again?: HeldRun | undefined
}

/**
 * Stores what a bridge says comes next in a run, in one transaction: the result of a step that it has run, jobs for steps
 * that it hands out, or the end of the run.
 *
 * @param ports - What the engine acts through.
 * @param tx - The session of the transaction.
 * @param given - The run, how the call ended, and limits.
 * @returns What is left to do; `undefined` if there is nothing, or another process has made the call since.
 */
export async function settleNext(
  ports: EnginePorts,
  tx: Session,
  { held, outcome, maxSteps, nextCall }: NextOutcome,
): Promise<NextRemainder | undefined> {
  const change = await openNextChange(ports, tx, { held, nextCall })
  if (!change) return undefined
  const { reply, failure } = outcome
  const stored = reply ? await settle(change, reply, { outcome, maxSteps }) : await fail(change, outcome, failure)
  await change.history.write(tx)
  return { dueMs: stored?.dueMs, again: await takeNext(change, stored?.job) }
}

/** Returns the run as it is taken for the next call. */
async function takeNext(change: NextChange, job: JobRow | undefined): Promise<HeldRun | undefined> {
  const { tx, nextCall, held, nowMs } = change
  if (!nextCall?.run) return undefined
  const { claim, run } = nextCall
  if (!change.isUnchanged || !job) {
    const [loaded] = await loadRuns(tx, [run])
    return loaded && { ...loaded, claim, calledAt: nowMs }
  }
  // The step that was run may have changed the recipient.
  const subscriberOf = await loadSubscribers(tx, [run])
  return { run, jobs: [...held.jobs, job], subscriber: subscriberOf(run), claim, calledAt: nowMs }
}

/** What was stored: a wait that has begun, and the step that the call has run, as it is now. */
type Stored = Pick<JobRemainder, 'dueMs'> & { readonly job?: JobRow | undefined }

async function settle(
  change: NextChange,
  reply: NextReply,
  { outcome, maxSteps }: Pick<NextOutcome, 'outcome' | 'maxSteps'>,
): Promise<Stored | undefined> {
  const fault = findReplyFault(reply, change.jobs, maxSteps)
  await learnFrom(change, reply)
  if ('step' in reply && !fault) return settleRun(change, reply, outcome)
  await recordCall(change, null, outcome)
  if (isClosed(change.run)) await advanceRun(change)
  else if (fault) await failRun(change, fault)
  else await continueRun(change, reply)
  return undefined
}

/** Settles a step that was run in the call. Its messages are sent by the step's own work. */
async function settleRun(
  change: NextChange,
  reply: NextStepReply,
  outcome: BridgeOutcome<NextReply>,
): Promise<Stored | undefined> {
  const stepChange = await startStep(change, reply.step)
  const { tx, run, job, queue } = stepChange
  await recordCall(change, job.id, outcome)
  const settled = isCanceledWait(stepChange)
    ? cancelStep(stepChange)
    : await settleStep(stepChange, reply, outcome.marked)
  if (settled.status !== 'running') return applySettled(stepChange, settled)
  await writeJob(stepChange, { ...settled, status: 'queued' })
  await queue.add(tx, [{ kind: 'job', id: job.id, lane: toLane(run), priority: 'ongoing' }])
  return undefined
}

async function startStep(change: NextChange, step: OpenStep): Promise<JobChange> {
  const { claim, calledAt } = change.held
  return { ...change, job: await startJob(change, change.jobs, { step, claim, calledAt }) }
}

/** A wait of a run that was canceled meanwhile would begin for nothing, and hold on to the events of later runs. */
function isCanceledWait({ run, job }: JobChange): boolean {
  return run.next === 'canceled' && isOfClass(job.type, 'wait', 'throttle')
}

function cancelStep({ job, history }: JobChange): Settled {
  history.note(subjectOf(job), 'canceled')
  return { status: 'canceled' }
}

/** Hands out what the bridge names, and decides when it is asked again. */
async function continueRun(change: NextChange, reply: NextReply): Promise<void> {
  const { jobs, held } = change
  const hasDispatched = await dispatchSteps(change, jobs, toNamedSteps(reply))
  const turn = toNextTurn({
    done: 'done' in reply,
    hasDispatched,
    waited: !held.jobs.some(isActive),
    before: held.jobs,
    now: hasDispatched ? await loadNextJobs(change) : jobs,
  })
  if (turn === 'again') await queueNext(change)
  if (turn === 'end') await (change.isUnchanged ? endOverRun(change, 'done', jobs) : endRun(change, 'done'))
  if (turn === 'stuck')
    await (onlyDispatches(held.run) ? askAgain(change, 2) : failRun(change, { name: 'runStuck', raw: reply }))
}

async function failRun(change: NextChange, { name, raw }: RunFault): Promise<void> {
  change.history.note({ runId: change.run.id, jobId: null }, name, raw)
  await endRun(change, 'failed')
}

/** A failure that names a step is the step's; any other one is the run's. */
async function fail(
  change: NextChange,
  outcome: BridgeOutcome<NextReply>,
  failure: BridgeFailure | undefined,
): Promise<Stored | undefined> {
  const step = toFailedStep(change, failure)
  if (step) {
    const stepChange = await startStep(change, step)
    await recordCall(change, stepChange.job.id, outcome)
    change.history.note(subjectOf(stepChange.job), 'bridgeFailed', failure)
    return applySettled(stepChange, { status: 'failed', error: failure })
  }
  await recordCall(change, null, outcome)
  if (isClosed(change.run)) await advanceRun(change)
  else if (failure && isRetriedCode(failure.code) && change.held.run.nextFailures === 0) {
    change.history.note({ runId: change.run.id, jobId: null }, 'bridgeFailed', failure)
    await askAgain(change, 1)
  } else await failRun(change, { name: 'runFailed', raw: failure })
  return undefined
}

/** A step that already has a job was not run by this call. */
function toFailedStep({ jobs }: NextChange, failure: BridgeFailure | undefined): OpenStep | undefined {
  if (!isObject(failure?.data)) return undefined
  const { stepId, type } = failure.data
  if (!isStepId(stepId) || !isStepType(type)) return undefined
  const job = jobs.find((one) => one.stepId === stepId)
  return job === undefined || job.status === 'pending' ? { stepId, type: type } : undefined
}

/** A failure that named no step is followed by a call that only hands out steps, and that by a last one if it found none. */
async function askAgain(change: NextChange, nextFailures: 1 | 2): Promise<void> {
  await change.tx.updateTable('runs').set({ nextFailures }).where('id', '=', change.run.id).execute()
  await queueNext(change)
}
