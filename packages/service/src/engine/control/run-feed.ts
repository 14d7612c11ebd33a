import type { Clock } from '../../clock/clock.ts'
import { nap } from '../../clock/nap.ts'
import { createId } from '../../store/create-id.ts'
import type { JobStatus, RunRow } from '../../store/schema/run.ts'
import type { Store } from '../../store/store.ts'
import { parseJson } from '../base/parse-json.ts'

/** A transition of a run, in the format for watchers. */
export interface RunTransition {
  /** Row id of the history entry. Watching can continue after it. */
  readonly id: string
  /** The time, in milliseconds since 1970. */
  readonly atMs: number
  /** Row id of the run. */
  readonly runId: string
  /** The transaction id of the run. */
  readonly transactionId: string
  readonly workflowIdentifier: string
  /** The subscriber id of the run's recipient. */
  readonly subscriberId: string
  /** The current status of the run. */
  readonly runStatus: RunRow['status']
  /** Row id of the step; `null` for the run itself. */
  readonly jobId: string | null
  /** The step id; `null` for the run itself. */
  readonly stepId: string | null
  /** The current status of the step; `null` for the run itself. */
  readonly jobStatus: JobStatus | null
  /** A human-readable description of the event. */
  readonly detail: string
  /** `Success`, `Warning`, `Failed`, `Pending` or `Queued`. */
  readonly status: string
  /** Additional data. */
  readonly raw: unknown
}

/** Selects the runs to watch. */
export interface RunFilter {
  /** Row id of the environment. */
  readonly environmentId: string
  /** Row id of one run, whose history is sent from its start. @default all runs, from now on */
  readonly runId?: string
  /** The id of the last received transition; only later ones are sent. */
  readonly afterId?: string
  /** Whether to end after the last transition of the run. @default false */
  readonly untilEnd?: boolean
}

/** Sends transitions as they happen, including those from other processes on the same database. */
export interface RunFeed {
  /** Checks for transitions now. Called after this process has stored some. */
  notify(): void
  /** Returns transitions as they happen, until the signal aborts or, with `untilEnd`, the run ends. */
  watch(filter: RunFilter, signal: AbortSignal): AsyncGenerator<RunTransition, void, undefined>
}

const pollMs = 500
const pageSize = 500
/**
 * Concurrent transactions may be committed in a different order than their ids, so each read overlaps the previous one.
 */
const overlapMs = 5000
const idTimeDigits = 12

/**
 * Creates a feed of run transitions.
 *
 * @param store - The database.
 * @param clock - The clock that determines the ids of new rows.
 */
export function createRunFeed(store: Store, clock: Clock): RunFeed {
  const waiting = new Set<() => void>()
  return {
    notify() {
      for (const wake of waiting) wake()
    },
    async *watch(filter, signal) {
      const seenIds = new Set<string>(filter.afterId === undefined ? [] : [filter.afterId])
      const floor = filter.afterId ?? (filter.runId === undefined ? createId(clock.now()) : '')
      let newest = floor
      let hasChanged = false
      const onChange = (): void => {
        hasChanged = true
      }
      waiting.add(onChange)
      try {
        while (!signal.aborted) {
          hasChanged = false
          // Checked before reading the entries, so that all entries of an ended run are included.
          const isOver = filter.untilEnd === true && (await hasEnded(store, filter.runId))
          const rows = await load(store, filter, {
            fromId: [toOverlap(newest), floor].toSorted().at(-1) ?? '',
            seen: seenIds,
          })
          for (const row of rows) {
            seenIds.add(row.id)
            if (row.id > newest) newest = row.id
            yield row
          }
          forget(seenIds, toOverlap(newest))
          if (rows.length === 0 && isOver) return
          if (rows.length === 0 && !hasChanged) await nap(waiting, pollMs, signal)
        }
      } finally {
        waiting.delete(onChange)
      }
    },
  }
}

function toOverlap(id: string): string {
  if (id === '') return ''
  const atMs = Number.parseInt(id.slice(0, idTimeDigits), 16) - overlapMs
  return Math.max(0, atMs).toString(16).padStart(idTimeDigits, '0')
}

function forget(seen: Set<string>, beforeId: string): void {
  for (const id of seen) if (id < beforeId) seen.delete(id)
}

/** A deleted run counts as ended. */
async function hasEnded({ db }: Store, runId = ''): Promise<boolean> {
  const run = await db.selectFrom('runs').select('status').where('id', '=', runId).executeTakeFirst()
  return run?.status !== 'running'
}

async function load(
  store: Store,
  { environmentId, runId }: RunFilter,
  { fromId, seen }: { readonly fromId: string; readonly seen: ReadonlySet<string> },
): Promise<readonly RunTransition[]> {
  let query = store.db
    .selectFrom('executionDetails as line')
    .innerJoin('runs', 'runs.id', 'line.runId')
    .leftJoin('jobs', 'jobs.id', 'line.jobId')
    .where('line.environmentId', '=', environmentId)
    .where('line.id', '>', fromId)
  if (runId !== undefined) query = query.where('line.runId', '=', runId)
  const rows = await query
    .select(['line.id', 'line.runId', 'line.jobId', 'line.detail', 'line.status', 'line.raw', 'line.createdAt'])
    .select(['runs.transactionId', 'runs.workflowIdentifier', 'runs.status as runStatus'])
    .select('runs.externalSubscriberId as subscriberId')
    .select(['jobs.stepId', 'jobs.status as jobStatus'])
    .orderBy('line.id')
    .limit(pageSize + seen.size)
    .execute()
  return rows
    .filter(({ id }) => !seen.has(id))
    .map(({ createdAt, raw, ...row }) => ({ ...row, atMs: createdAt, raw: raw === null ? null : parseJson(raw) }))
}
