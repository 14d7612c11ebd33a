import { createId } from '../../store/create-id.ts'
import { insertLate } from '../../store/late-rows.ts'
import type { ExecutionDetailRow } from '../../store/schema/trace.ts'
import type { Session } from '../../store/store.ts'
import { type DetailName, details } from '../decision/detail.ts'
import type { DeliveryNote } from '../port/channel-port.ts'

/** The run and the step that a history entry belongs to. */
export interface HistorySubject {
  /** Row id of the run. */
  readonly runId: string
  /** Row id of the step; `null` for the run itself. */
  readonly jobId: string | null
}

/** Collects the history entries of one transaction, and writes them together. */
export interface History {
  /** Adds an entry from the engine, with optional data. */
  note(subject: HistorySubject, name: DetailName, raw?: unknown): void
  /** Adds an entry from a channel. */
  noteDelivery(subject: HistorySubject, note: DeliveryNote): void
  write(tx: Session): Promise<void>
}

const retries: ReadonlySet<DetailName> = new Set(['bridgeRetried', 'stepRetried', 'nextRepeated'])

/**
 * Creates an empty history.
 *
 * @param environmentId - Row id of the environment.
 * @param nowMs - The time of the entries, in milliseconds since 1970.
 */
export function createHistory(environmentId: string, nowMs: number): History {
  const rows: ExecutionDetailRow[] = []
  const add = (subject: HistorySubject, { detail, status, ...rest }: DeliveryNote): void => {
    rows.push({
      id: createId(nowMs),
      environmentId,
      runId: subject.runId,
      jobId: subject.jobId,
      messageId: rest.messageId ?? null,
      status,
      detail,
      source: rest.source ?? 'Internal',
      providerId: rest.providerId ?? null,
      raw: rest.raw === undefined ? null : JSON.stringify(rest.raw),
      isTest: 0,
      isRetry: rest.isRetry ? 1 : 0,
      createdAt: nowMs,
    })
  }
  return {
    note(subject, name, raw) {
      add(subject, { ...details[name], raw, isRetry: retries.has(name) })
    },
    noteDelivery: add,
    async write(tx) {
      await insertLate(tx, 'executionDetails', rows.splice(0))
    },
  }
}
