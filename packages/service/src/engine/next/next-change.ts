import type { TakenItem } from '../../queue/queue.ts'
import type { RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { createHistory } from '../base/history.ts'
import { isClosed } from '../decision/job-view.ts'
import type { NextJob } from '../decision/next-turn.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun } from '../run/advance-run.ts'
import type { HeldRun } from '../run/held-run.ts'
import type { JobChange } from '../run/job-change.ts'
import { lockRun } from '../run/lock-run.ts'
import { loadNextJobs } from './hand-out.ts'

/** Dependencies of a change of a run by what its bridge says comes next, within one transaction. */
export interface NextChange extends Omit<JobChange, 'job'> {
  /** The run, as it was taken for the call. */
  readonly held: HeldRun
  /** Its jobs now. */
  readonly jobs: readonly NextJob[]
}

/**
 * Locks a run whose call this process has made, and ends the call.
 *
 * @param ports - What the engine acts through.
 * @param tx - The session of the transaction.
 * @param held - The run, as it was taken for the call.
 * @returns The change; `undefined` if another process has made the call since.
 */
export async function openNextChange(
  { queue, clock, channels }: EnginePorts,
  tx: Session,
  held: HeldRun,
): Promise<NextChange | undefined> {
  const nowMs = clock.now()
  const locked = await lockRun(tx, held.run.id, nowMs)
  if (!locked || locked.nextClaim !== held.claim) return undefined
  const run = await release(tx, locked)
  const history = createHistory(run.environmentId, nowMs)
  const change = { tx, run, nowMs, history, queue, channels, subscriber: held.subscriber, held }
  return { ...change, jobs: await loadNextJobs(change) }
}

async function release(tx: Session, run: RunRow): Promise<RunRow> {
  const released = { next: isClosed(run) ? run.next : 'idle', nextClaim: null, nextFailures: 0 } as const
  await tx.updateTable('runs').set(released).where('id', '=', run.id).execute()
  return { ...run, ...released }
}

/**
 * Ends the call of a run that was closed while a process made it, and died. Does nothing for other runs.
 *
 * @param ports - What the engine acts through.
 * @param item - The work; its id is the run's.
 */
export async function endLostCall({ store, queue, clock }: EnginePorts, { id, complete }: TakenItem): Promise<void> {
  await store.transaction(async (tx) => {
    const nowMs = clock.now()
    const run = await lockRun(tx, id, nowMs)
    if (run && isClosed(run) && run.nextClaim !== null) {
      const history = createHistory(run.environmentId, nowMs)
      await advanceRun({ tx, run: await release(tx, run), nowMs, history, queue })
      await history.write(tx)
    }
    await complete(tx)
  })
}
