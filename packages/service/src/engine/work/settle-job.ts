import { isObject } from '@trestle/protocol'
import type { BridgeOutcome } from '../../bridge/bridge-call.ts'
import { createQueryKey, runPrepared } from '../../store/prepared.ts'
import { hasOneOf } from '../../store/shared/row-list.ts'
import { createSharedStatement } from '../../store/shared/shared-statement.ts'
import type { Session } from '../../store/store.ts'
import { createHistory } from '../base/history.ts'
import { isClosed } from '../decision/job-view.ts'
import { canDispatchAgain } from '../decision/next-turn.ts'
import type { Content } from '../port/channel-port.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import type { HeldJob } from '../run/held-job.ts'
import type { JobChange, Settled } from '../run/job-change.ts'
import { lockRun } from '../run/lock-run.ts'
import { settleFailure } from '../waits/enter-backoff.ts'
import { recordCall } from './record-call.ts'
import { applySettled, type JobRemainder, settleStep, subjectOf } from './settle-step.ts'
import { waitForNamedStep } from './wait-for-named-step.ts'

const holdersOfJobsQuery = createQueryKey('holders of jobs')

/** A bridge call for a job. */
export interface SettledCall {
  readonly held: HeldJob
  readonly outcome: BridgeOutcome
  /** The content of its message. */
  readonly content: Content | undefined
}

/**
 * Stores the outcome of a bridge call in one transaction: the reply, the result, the messages, the history, and the
 * next work.
 *
 * @returns The remaining work; `undefined` if nothing was stored, because another process has claimed the job or it was
 * canceled.
 */
export async function settleJob(
  { queue, clock, channels, events }: EnginePorts,
  tx: Session,
  { held, outcome, content }: SettledCall,
): Promise<JobRemainder | undefined> {
  const nowMs = clock.now()
  const run = await lockRun(tx, held.run.id, nowMs)
  if (!run || !(await isHeld(tx, held))) return undefined
  const history = createHistory(run.environmentId, nowMs)
  const { job, subscriber } = held
  const change: JobChange = { tx, run, job, subscriber, nowMs, history, queue, channels, events }
  await recordCall(change, job.id, outcome)
  const remainder = await applySettled(change, await settle(change, outcome, content))
  await history.write(tx)
  return remainder
}

const isHeld = createSharedStatement<HeldJob, boolean>({
  async run(tx, held) {
    const ids = held.map(({ job }) => job.id)
    const { condition, value, form, isNamed } = hasOneOf(tx, 'id', ids)
    const { rows } = await runPrepared(tx, {
      key: holdersOfJobsQuery,
      form,
      values: [value],
      isNamed,
      build: () => tx.selectFrom('jobs').select(['id', 'claim', 'status']).where(condition),
    })
    return held.map(({ job, claim }) => {
      const row = rows.find(({ id }) => id === job.id)
      return row?.claim === claim && row.status === 'running'
    })
  },
})

async function settle(change: JobChange, { reply, failure }: BridgeOutcome, content?: Content): Promise<Settled> {
  if (reply) return wasReached(reply) ? settleStep(change, reply, content) : settleUnreached(change)
  const turn = failure && (await waitForNamedStep(change, failure))
  if (turn) return { status: turn }
  return settleFailure(change, failure)
}

/** Returns whether the function of the workflow reached the step. */
export function wasReached({ metadata }: { readonly metadata?: unknown }): boolean {
  return !(isObject(metadata) && metadata['reached'] === false)
}

/** A step that was not reached gets no result, so that later steps do not see one. The bridge may name it again. */
function settleUnreached({ run, job, history }: JobChange): Settled {
  if (run.next === null || isClosed(run)) {
    history.note(subjectOf(job), run.next === null ? 'skipped' : 'neverReached')
    return { status: 'skipped', patch: { stage: 'unreached' } }
  }
  if (canDispatchAgain(job)) {
    history.note(subjectOf(job), 'notReached')
    return { status: 'pending', patch: { stage: 'unreached' } }
  }
  const message = `The bridge named step "${job.stepId}" ${job.handOuts} times as the next one, but never reached it.`
  const failure = { code: 'StepNotReachedError', status: 502, message, data: { stepId: job.stepId, type: job.type } }
  history.note(subjectOf(job), 'bridgeFailed', failure)
  return { status: 'failed', error: failure }
}
