import { sql } from 'kysely'
import type { TakenItem } from '../../queue/queue.ts'
import { createQueryKey, runPrepared, toJson } from '../../store/prepared.ts'
import type { RunRow } from '../../store/schema/run.ts'
import { listOf } from '../../store/shared/row-list.ts'
import { createSharedStatement } from '../../store/shared/shared-statement.ts'
import type { Session } from '../../store/store.ts'
import { createHistory } from '../base/history.ts'
import { isClosed, isOver } from '../decision/job-view.ts'
import type { NextJob } from '../decision/next-turn.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun, type NextCall } from '../run/advance-run.ts'
import type { HeldRun } from '../run/held-run.ts'
import type { JobChange } from '../run/job-change.ts'
import { lockRun } from '../run/lock-run.ts'
import { loadNextJobs } from './dispatch-steps.ts'

const endCallsOfRunsQuery = createQueryKey('end calls of runs')

/** Dependencies for applying a reply to a run within one transaction. */
export interface NextChange extends Omit<JobChange, 'job'> {
  /** The run at the time of the call. */
  readonly held: HeldRun
  /** Its current jobs. */
  readonly jobs: readonly NextJob[]
  /** Whether the jobs are the same as at the time of the call, and all have ended. */
  readonly isUnchanged: boolean
}

/**
 * Locks a run that this process has called, and ends the call.
 *
 * @param call - The run at the time of the call, and the next call if this process may make it.
 * @returns The change; `undefined` if another process has claimed the run since.
 */
export async function openNextChange(
  { queue, clock, channels, events }: EnginePorts,
  tx: Session,
  { held, nextCall }: { readonly held: HeldRun; readonly nextCall?: NextCall | undefined },
): Promise<NextChange | undefined> {
  const nowMs = clock.now()
  const run = await endCall(tx, { ...held, nowMs })
  if (!run) return undefined
  const history = createHistory(run.environmentId, nowMs)
  const change = { tx, run, nowMs, history, queue, channels, events, subscriber: held.subscriber, held, nextCall }
  // Every change increments the sequence, and finished jobs do not change.
  const isUnchanged = run.sequence === held.run.sequence + 1 && held.jobs.every(isOver)
  return { ...change, isUnchanged, jobs: isUnchanged ? held.jobs : await loadNextJobs(change) }
}

/** Locks the run, counts the change and ends the call. Returns nothing if another process has claimed the run since. */
const endCall = createSharedStatement<HeldRun & { readonly nowMs: number }, RunRow | undefined>({
  keyOf: ({ run }) => run.id,
  async run(tx, calls) {
    const nowMs = Math.max(...calls.map((call) => call.nowMs))
    const text = toJson(calls.map(({ run, claim }) => ({ id: run.id, nextClaim: claim })))
    const { rows } = await runPrepared(tx, {
      key: endCallsOfRunsQuery,
      values: [1, nowMs, 'calling', 'idle', null, 0, text],
      isNamed: false,
      build: () => {
        const ended = listOf(tx, { table: 'runs', columns: ['id', 'nextClaim'] }, text)
        return tx
          .updateTable('runs')
          .set((row) => ({
            sequence: row('sequence', '+', 1),
            updatedAt: nowMs,
            next: row.case().when('next', '=', 'calling').then<RunRow['next']>('idle').else(row.ref('next')).end(),
            nextClaim: null,
            nextFailures: 0,
          }))
          .where(sql<boolean>`("id", "nextClaim") in ${ended}`)
          .returningAll()
      },
    })
    return calls.map((call) => rows.find(({ id }) => id === call.run.id))
  },
})

async function releaseClaim(tx: Session, run: RunRow): Promise<RunRow> {
  const columns = { nextClaim: null, nextFailures: 0 } as const
  await tx.updateTable('runs').set(columns).where('id', '=', run.id).execute()
  return { ...run, ...columns }
}

/**
 * Ends the call of a closed run after the calling process died. Does nothing for other runs.
 *
 * @param item - The work; its id is the row id of the run.
 */
export async function endLostCall(
  { store, queue, clock, events }: EnginePorts,
  { id, complete }: TakenItem,
): Promise<void> {
  await store.transaction(async (tx) => {
    const nowMs = clock.now()
    const run = await lockRun(tx, id, nowMs)
    if (run && isClosed(run) && run.nextClaim !== null) {
      const history = createHistory(run.environmentId, nowMs)
      await advanceRun({ tx, run: await releaseClaim(tx, run), nowMs, history, queue, events })
      await history.write(tx)
    }
    await complete(tx)
  })
}
