import { isRetriedCode } from '@trestle/bridge-client'
import { isObject, isOfClass, isStepType, type NextReply, type NextStepReply, type OpenStep } from '@trestle/protocol'
import type { BridgeFailure, BridgeOutcome } from '../../bridge/bridge-call.ts'
import { isStepId } from '../../bridge/workflows/check-manifests.ts'
import type { JobRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { mayHaveRun } from '../base/may-have-run.ts'
import { isClosed } from '../decision/job-view.ts'
import { isActive, type NextJob, onlyDispatches, toNextTurn } from '../decision/next-turn.ts'
import type { Content } from '../port/channel-port.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun, type NextCall, queueNext } from '../run/advance-run.ts'
import { endOverRun, endRun } from '../run/close-run.ts'
import { isFinalStep } from '../run/final-step.ts'
import { loadRuns, loadSubscriber } from '../run/held-job.ts'
import type { HeldRun } from '../run/held-run.ts'
import { type JobChange, type Settled, writeJob } from '../run/job-change.ts'
import { toRunWork } from '../run/lane.ts'
import { markHandled } from '../run/mark-handled.ts'
import { settleFailure } from '../waits/enter-backoff.ts'
import { recordCall } from '../work/record-call.ts'
import { applySettled, type JobRemainder, settleStep, subjectOf } from '../work/settle-step.ts'
import { dispatchSteps, loadNextJobs, startJob } from './dispatch-steps.ts'
import { failRun } from './fault-run.ts'
import { learnFrom } from './learn-from.ts'
import { type NextChange, openNextChange } from './next-change.ts'
import { repeatCall } from './repeat-next.ts'
import { findReplyFault, toNamedSteps } from './reply-fault.ts'

/** The outcome of a call that asked for the next step. */
export interface NextOutcome {
  /** The run at the time of the call. */
  readonly held: HeldRun
  /** The reply or the failure. */
  readonly outcome: BridgeOutcome<NextReply>
  /** The content of the message of the step that the call ran. */
  readonly content: Content | undefined
  /** The maximum number of steps of a run. */
  readonly maxSteps: number
  /** The next call, if this process may make it. */
  readonly nextCall: NextCall | undefined
}

/** The work that remains after the outcome was stored. */
export interface NextRemainder {
  /** The end of a started wait, in milliseconds since 1970. */
  readonly dueMs?: number | undefined
  /** The run, claimed for its next call. */
  readonly again?: HeldRun | undefined
}

/**
 * Stores the outcome of a call in one transaction: the result of the step that it ran, jobs for the steps that it
 * named, or the end of the run.
 *
 * @param given - The run, the outcome, and limits.
 * @returns The remaining work; `undefined` if there is none, or another process has claimed the run since.
 */
export async function settleNext(
  ports: EnginePorts,
  tx: Session,
  { held, nextCall, ...called }: NextOutcome,
): Promise<NextRemainder | undefined> {
  const change = await openNextChange(ports, tx, { held, nextCall })
  if (!change) return undefined
  const { outcome } = called
  const { reply, failure } = outcome
  const stored = reply ? await settle(change, reply, called) : await fail(change, outcome, failure)
  await change.history.write(tx)
  return { dueMs: stored?.dueMs, again: await takeNext(change, stored?.job) }
}

/** Returns the run, claimed for its next call. */
async function takeNext(change: NextChange, job: JobRow | undefined): Promise<HeldRun | undefined> {
  const { tx, nextCall, held, nowMs } = change
  if (!nextCall?.run) return undefined
  const { claim, run } = nextCall
  if (!change.isUnchanged || !job) {
    const [loaded] = await loadRuns(tx, [run])
    return loaded && { ...loaded, claim, calledAt: nowMs }
  }
  // The step may have changed the recipient.
  const subscriber = await loadSubscriber(tx, run)
  return { run, jobs: [...held.jobs, job], subscriber, claim, calledAt: nowMs }
}

/** The end of a started wait, and the current job of the step that the call ran. */
type Stored = Pick<JobRemainder, 'dueMs'> & { readonly job?: JobRow | undefined }

async function settle(
  change: NextChange,
  reply: NextReply,
  { outcome, content, maxSteps }: Pick<NextOutcome, 'outcome' | 'content' | 'maxSteps'>,
): Promise<Stored | undefined> {
  const fault = findReplyFault(reply, change.jobs, maxSteps)
  await learnFrom(change, reply)
  if ('step' in reply && !fault) return settleRun(change, reply, { outcome, content })
  await recordCall(change, null, outcome)
  if (isClosed(change.run)) await advanceRun(change)
  else if (fault) await failRun(change, fault)
  else await continueRun(change, reply)
  return undefined
}

/** Settles a step that was run in the call. A separate item sends its messages. */
async function settleRun(
  change: NextChange,
  reply: NextStepReply,
  { outcome, content }: Pick<NextOutcome, 'outcome' | 'content'>,
): Promise<Stored | undefined> {
  const stepChange = await startStep(change, reply.step, isFinal(change, reply))
  const { tx, run, job, queue } = stepChange
  await recordCall(change, job.id, outcome)
  const settled = isCanceledWait(stepChange) ? cancelStep(stepChange) : await settleStep(stepChange, reply, content)
  const isLast = isFinalStep(job)
  if (settled.status === 'completed' && isLast) {
    await endOverRun(change, 'done', [
      ...(await storeHandled(change, reply.metadata.handled)),
      await writeJob(stepChange, settled),
    ])
    return undefined
  }
  if (settled.status !== 'running') return applySettled(stepChange, settled)
  // No later call reports them if the run ends after the messages are sent.
  if (isLast) await storeHandled(change, reply.metadata.handled)
  await writeJob(stepChange, { ...settled, status: 'queued' })
  await queue.add(tx, [toRunWork(run, 'job', job.id)])
  return undefined
}

async function startStep(change: NextChange, step: OpenStep, isFinal = false): Promise<JobChange> {
  const { claim, calledAt } = change.held
  return { ...change, job: await startJob(change, change.jobs, { step, claim, calledAt, isFinal }) }
}

/** Returns whether the run is done after a step: the bridge reported it, and nothing has changed since the call. */
function isFinal({ isUnchanged, run }: NextChange, { metadata }: NextStepReply): boolean {
  return isObject(metadata) && metadata['final'] === true && isUnchanged && !isClosed(run)
}

/** A canceled run starts no wait, which would hold the events of later runs, and triggers no workflow. */
function isCanceledWait({ run, job }: JobChange): boolean {
  return run.next === 'canceled' && isOfClass(job.type, 'wait', 'throttle', 'trigger')
}

function cancelStep({ job, history }: JobChange): Settled {
  history.note(subjectOf(job), 'canceled')
  return { status: 'canceled' }
}

/** Dispatches the named steps, and decides when to call the bridge again. */
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
  if (turn === 'end') {
    const ended = await storeHandled(change, 'done' in reply ? reply.handled : undefined)
    await (change.isUnchanged ? endOverRun(change, 'done', ended) : endRun(change, 'done'))
  }
  if (turn === 'stuck')
    await (onlyDispatches(held.run) ? queueNext(change, 2) : failRun(change, { name: 'runStuck', raw: reply }))
}

/** Marks the failed steps whose failure the workflow function received, and returns the current jobs. */
async function storeHandled(change: NextChange, handled: unknown): Promise<readonly NextJob[]> {
  const { jobs } = change
  const ids = Array.isArray(handled) && handled.length > 0 ? await markHandled(change, jobs, handled) : new Set()
  return ids.size === 0 ? jobs : jobs.map((job) => (ids.has(job.id) ? { ...job, stage: 'handled' } : job))
}

/** Fails the step that a failure names; otherwise fails the run. */
async function fail(
  change: NextChange,
  outcome: BridgeOutcome<NextReply>,
  failure: BridgeFailure | undefined,
): Promise<Stored | undefined> {
  const step = toFailedStep(change, failure)
  if (step) {
    const stepChange = await startStep(change, step)
    await recordCall(change, stepChange.job.id, outcome)
    return applySettled(stepChange, await settleFailure(stepChange, failure))
  }
  await recordCall(change, null, outcome)
  if (isClosed(change.run)) await advanceRun(change)
  else if (await repeatCall(change, { ...failure })) return undefined
  else if (failure && isRetriedCode(failure.code) && mayHaveRun(outcome) && change.held.run.nextFailures === 0) {
    change.history.note({ runId: change.run.id, jobId: null }, 'bridgeFailed', failure)
    // The next call only dispatches steps, so that a step that ends its process is known and fails alone.
    await queueNext(change, 1)
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
