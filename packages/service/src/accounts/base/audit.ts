import { ApiError } from '../../api/api-error.ts'
import { createId } from '../../store/create-id.ts'
import type { AuditRow } from '../../store/schema/account.ts'
import type { Session } from '../../store/store.ts'

/** Who calls. */
export type Actor = Pick<AuditRow, 'actorType' | 'actorId' | 'actorName' | 'address'>

/** An audited call, before it is made. */
export interface AuditedCall {
  readonly actor: Actor
  /** The environment; undefined for account operations. */
  readonly environment: { readonly id: string; readonly name: string } | undefined
  /** The name of the operation. */
  readonly operation: string
  /** What is changed, without values. */
  readonly subject: string | undefined
  readonly requestId: string
}

/** The audit log. */
export interface Audit {
  /** Records a change that has been made. */
  note(call: AuditedCall): Promise<void>
  /**
   * Makes a change and records it. Its entry is written first, so that no change is missing even if the process ends in
   * between.
   *
   * @param work - Makes the change.
   */
  record<T>(call: AuditedCall, work: () => Promise<T>): Promise<T>
}

/** Dependencies of the audit log. */
export interface AuditPorts {
  readonly db: Session
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number
  /** Receives errors that occur when an outcome cannot be written. */
  readonly onError: (error: unknown) => void
}

const maxSubject = 500

/** Creates the audit log. */
export function createAudit({ db, now, onError }: AuditPorts): Audit {
  async function write(call: AuditedCall, outcome: AuditRow['outcome']): Promise<string> {
    const { actor, environment, operation, subject, requestId } = call
    const nowMs = now()
    const row: AuditRow = {
      ...{ id: createId(nowMs), scope: environment?.id ?? null, scopeName: environment?.name ?? null },
      ...actor,
      ...{ operation, subject: subject?.slice(0, maxSubject) ?? null, outcome, requestId, createdAt: nowMs },
    }
    await db.insertInto('auditEntries').values(row).execute()
    return row.id
  }
  return {
    async note(call) {
      await write(call, 'done')
    },
    async record(call, work) {
      const id = await write(call, 'started')
      const settle = (outcome: AuditRow['outcome']): Promise<unknown> =>
        db.updateTable('auditEntries').set({ outcome }).where('id', '=', id).execute().catch(onError)
      try {
        const result = await work()
        await settle('done')
        return result
      } catch (error) {
        await settle(error instanceof ApiError && error.status < 500 ? 'refused' : 'failed')
        throw error
      }
    },
  }
}
