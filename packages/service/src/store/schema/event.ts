import type { Id, JsonText, Millis } from './column.ts'

/** An emitted event, kept for a while for runs that begin to wait. */
export interface EmittedEventRow {
  /** Primary key; sorts by time. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Its name. */
  name: string
  /** Its data. */
  payload: JsonText
  /** The subscriber whose runs receive it; null for all. */
  recipient: string | null
  /** Hashes of the fields that waits compare, separated by `|`. */
  keys: string
  /** `open` until it has woken all runs that wait for it. */
  status: 'open' | 'done'
  /** Where waking continues: `{ buckets, after }`. */
  cursor: JsonText | null
  /** When it was emitted. */
  createdAt: Millis
}
