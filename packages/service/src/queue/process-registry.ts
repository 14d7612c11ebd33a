import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { openPostgresStore } from '../store/postgres-store.ts'
import type { Session, Store } from '../store/store.ts'
import { createSilenceWatch, type SilenceWatch } from './silence-watch.ts'

/** Heartbeats have a separate connection and short timeouts, so that they do not wait for other queries. */
const patienceMs = 2_000

/** A process that was found dead. */
export interface DeadProcess {
  readonly id: string
  /** The process id on its machine. */
  readonly pid: number
  /** Whether its machine reports that it ended, or it sent no heartbeat for too long. */
  readonly cause: 'ended' | 'silent'
}

/** A process that may be dead, with its last heartbeat. */
export interface SilentProcess extends DeadProcess {
  readonly heartbeatAt: number
}

/** Tracks which service processes on one database are alive. */
export interface ProcessRegistry {
  /** The id of this process. */
  readonly processId: string
  /**
   * Records that this process is alive.
   *
   * @returns Whether other processes had declared it dead and requeued its items.
   */
  heartbeat(): Promise<boolean>
  /**
   * Returns dead processes: those of this machine that ended, and those without a heartbeat for too long. Time during
   * which this process could not check does not count.
   */
  findDead(): Promise<readonly SilentProcess[]>
  /**
   * Removes dead processes, except those with a newer heartbeat.
   *
   * @returns The removed processes.
   */
  removeDead(tx: Session, silent: readonly SilentProcess[]): Promise<readonly DeadProcess[]>
  /** Removes this process, and closes the registry's connection. */
  unregister(): Promise<void>
}

/**
 * Creates the registry of this process. Its row is stored with the first heartbeat.
 *
 * @param store - The shared database.
 * @param nowMs - A monotonic clock, because a change of the system time must not declare processes dead.
 */
export function createProcessRegistry(store: Store, nowMs: () => number = () => performance.now()): ProcessRegistry {
  const processId = randomUUID()
  const host = describeHost()
  const { databaseUrl } = store
  const registryStore =
    databaseUrl === undefined ? store : openPostgresStore(databaseUrl, { maxConnections: 1, patienceMs })
  const silence = createSilenceWatch(nowMs)
  let isRegistered = false
  const now =
    store.driver === 'postgres'
      ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
      : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`

  async function resetOnFailure<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      silence.reset()
      throw error
    }
  }

  return {
    processId,
    heartbeat: () =>
      resetOnFailure(async () => {
        const rows = registryStore.db.updateTable('processes').set({ heartbeatAt: now }).where('id', '=', processId)
        const { numUpdatedRows } = await rows.executeTakeFirstOrThrow()
        if (numUpdatedRows > 0n) return false
        const row = { id: processId, host, pid: process.pid, heartbeatAt: now, info: '{}' }
        await registryStore.db.insertInto('processes').values(row).execute()
        const wasRemoved = isRegistered
        isRegistered = true
        return wasRemoved
      }),
    findDead: () =>
      resetOnFailure(async () => {
        const rows = await registryStore.db
          .selectFrom('processes')
          .select(['id', 'host', 'pid', 'heartbeatAt'])
          .where('id', '!=', processId)
          .execute()
        return selectDead(rows, host, silence)
      }),
    removeDead: removeSilent,
    async unregister() {
      await registryStore.db
        .deleteFrom('processes')
        .where('id', '=', processId)
        .execute()
        .finally(() => (registryStore === store ? undefined : registryStore.close()))
    },
  }
}

interface ProcessEntry extends Omit<SilentProcess, 'cause'> {
  readonly host: string
}

function selectDead(rows: readonly ProcessEntry[], here: string, silence: SilenceWatch): readonly SilentProcess[] {
  const silent = silence.observe(rows.map(({ id, heartbeatAt, host }) => ({ id, heartbeatAt, isHere: host === here })))
  return rows.flatMap(({ id, pid, heartbeatAt, host }): readonly SilentProcess[] => {
    if (host === here && !isAlive(pid)) return [{ id, pid, heartbeatAt, cause: 'ended' }]
    return silent.has(id) ? [{ id, pid, heartbeatAt, cause: 'silent' }] : []
  })
}

async function removeSilent(tx: Session, silent: readonly SilentProcess[]): Promise<readonly DeadProcess[]> {
  const dead: DeadProcess[] = []
  for (const { id, pid, cause, heartbeatAt } of silent) {
    const rows = tx.deleteFrom('processes').where('id', '=', id).where('heartbeatAt', '=', heartbeatAt)
    if ((await rows.executeTakeFirstOrThrow()).numDeletedRows > 0n) dead.push({ id, pid, cause })
  }
  return dead
}

/** Process ids are only comparable within one boot and one process namespace of a machine. */
function describeHost(): string {
  const identity = [
    hostname(),
    attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    attempt(() => readlinkSync('/proc/self/ns/pid')),
  ]
  return identity.join(' ')
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
