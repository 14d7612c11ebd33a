import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Session, Store } from '../store/store.ts'

/** After so long without a new sign of life a process counts as dead. */
export const silenceMs = 5_000

/** A process that was found dead. */
export interface DeadProcess {
  /** Identifies it. */
  readonly id: string
  /** Its number on its machine. */
  readonly pid: number
  /** Whether its machine says that it ended, or it was silent for too long. */
  readonly cause: 'ended' | 'silent'
}

/** The service processes on one database: which of them live. */
export interface ProcessRegistry {
  /** Identifies this process. */
  readonly processId: string
  /** Says that this process lives. */
  beat(): Promise<void>
  /** Removes this process. */
  leave(): Promise<void>
  /**
   * Removes dead processes: those of this machine that ended, and those that were silent for too long.
   *
   * @returns Those that were removed.
   */
  bury(tx: Session): Promise<readonly DeadProcess[]>
}

/**
 * Creates the registry's entry of this process; it is stored with the first beat.
 *
 * @param store - The database that is shared.
 */
export function createProcessRegistry(store: Store): ProcessRegistry {
  const processId = randomUUID()
  const host = describeHost()
  // When each process was first seen with its latest sign of life, by a clock that nobody sets: a process does not die of
  // a change of the time.
  const seen = new Map<string, { readonly heartbeatAt: number; readonly sinceMs: number }>()
  const now =
    store.driver === 'postgres'
      ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
      : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`

  return {
    processId,
    async beat() {
      await store.db
        .insertInto('processes')
        .values({ id: processId, host, pid: process.pid, heartbeatAt: now, info: '{}' })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ heartbeatAt: now }))
        .execute()
    },
    async leave() {
      await store.db.deleteFrom('processes').where('id', '=', processId).execute()
    },
    async bury(tx) {
      const rows = await tx
        .selectFrom('processes')
        .select(['id', 'host', 'pid', 'heartbeatAt'])
        .where('id', '!=', processId)
        .execute()
      const nowMs = performance.now()
      const dead = rows.flatMap((row): readonly DeadProcess[] => {
        const { id, pid } = row
        const { heartbeatAt, sinceMs } = seen.get(id) ?? {}
        if (row.host === host && !isAlive(pid)) return [{ id, pid, cause: 'ended' }]
        if (heartbeatAt === row.heartbeatAt)
          return nowMs - (sinceMs ?? nowMs) > silenceMs ? [{ id, pid, cause: 'silent' }] : []
        seen.set(id, { heartbeatAt: row.heartbeatAt, sinceMs: nowMs })
        return []
      })
      for (const id of seen.keys()) if (!rows.some((row) => row.id === id)) seen.delete(id)
      if (dead.length === 0) return []
      const ids = dead.map(({ id }) => id)
      await tx.deleteFrom('processes').where('id', 'in', ids).execute()
      return dead
    },
  }
}

/** Numbers of processes compare only within one boot and one process namespace of one machine. */
function describeHost(): string {
  const facts = [
    hostname(),
    attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    attempt(() => readlinkSync('/proc/self/ns/pid')),
  ]
  return facts.join(' ')
}

function attempt(read: () => string): string {
  try {
    return read()
  } catch {
    return '-'
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
