import type { NextReply } from '@trestle/protocol'
import type { TakenItem } from '../../queue/queue.ts'
import { isClosed } from '../decision/job-view.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun } from '../run/advance-run.ts'
import { endRun } from '../run/close-run.ts'
import type { HeldRun } from '../run/held-run.ts'
import { endDigests } from '../waits/end-digests.ts'
import { toReason, toServiceFault } from '../work/fail-job.ts'
import { applySettled, subjectOf } from '../work/settle-step.ts'
import { startJob } from './dispatch-steps.ts'
import { type NextChange, openNextChange } from './next-change.ts'
import { repeatCall } from './repeat-next.ts'
import { findReplyFault, type RunFault } from './reply-fault.ts'

/** Why the result of a call could not be stored. */
export interface CallFault {
  readonly error: unknown
  /** The bridge's reply; absent if the failure occurred before it. */
  readonly reply: NextReply | undefined
  /** Removes the work from the queue. */
  readonly complete: TakenItem['complete']
}

/** Fails a run. Its open digests hold events of other runs, which continue without it. */
export async function failRun(change: NextChange, { name, raw }: RunFault): Promise<void> {
  change.history.note({ runId: change.run.id, jobId: null }, name, raw)
  await endDigests(change, { status: 'skipped', name: 'digestOfFailedRun' })
  await endRun(change, 'failed')
}

/**
 * Handles a call whose result cannot be stored: fails the step that it ran, or else the run. A call that could run no
 * step is repeated instead.
 *
 * @param held - The run at the time of the call.
 */
export async function faultRun(
  ports: EnginePorts,
  held: HeldRun,
  { error, reply, complete }: CallFault,
): Promise<void> {
  await ports.store.transaction(async (tx) => {
    await complete(tx)
    const change = await openNextChange(ports, tx, { held })
    if (!change) return
    const { run, history, jobs } = change
    const reason = toReason(error)
    if (reply && 'step' in reply && !findReplyFault(reply, jobs, Number.POSITIVE_INFINITY)) {
      const job = await startJob(change, jobs, { step: reply.step, claim: held.claim, calledAt: held.calledAt })
      history.note(subjectOf(job), 'faulted', { reason })
      await applySettled({ ...change, job }, { status: 'failed', error: toServiceFault(reason) })
    } else if (isClosed(run)) await advanceRun(change)
    else if (!(await repeatCall(change, { reason }))) await failRun(change, { name: 'runFaulted', raw: { reason } })
    await history.write(tx)
  })
}
