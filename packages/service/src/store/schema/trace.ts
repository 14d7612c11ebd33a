import type { Flag, Id, JsonText, Millis } from './column.ts'

/** One thing that happened in a run. */
export interface ExecutionDetailRow {
  /** Primary key; sorts by time. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the run. */
  runId: Id
  /** Row id of the step; null for the run itself. */
  jobId: Id | null
  /** Row id of the message it is about. */
  messageId: Id | null
  /** `Success`, `Warning`, `Failed`, `Pending`, `Queued` or `ReadConfirmation`. */
  status: string
  /** The event, told for people. */
  detail: string
  /** `Credentials`, `Internal`, `Payload` or `Webhook`. */
  source: string
  /** The delivery provider. */
  providerId: string | null
  /** Data about it. */
  raw: JsonText | null
  /** Whether the run was a trial. */
  isTest: Flag
  /** Whether it was tried before. */
  isRetry: Flag
  /** When it happened. */
  createdAt: Millis
}

/** A call of a bridge, with secrets masked. */
export interface BridgeCallRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the run, when it was made for one. */
  runId: Id | null
  /** Row id of the step. */
  jobId: Id | null
  /** `execute`, `preview`, `discover` or `health-check`. */
  action: string
  /** The address that was called. */
  url: string
  /** `{ method, headers, body }`. */
  request: JsonText
  /** `{ status, headers, body }`, or `{ code, message }` if there was no answer. */
  reply: JsonText | null
  /** The HTTP status, if there was one. */
  status: number | null
  /** How long it took, in milliseconds. */
  durationMs: number
  /** When it began. */
  createdAt: Millis
}

/** The open digest of a bucket: which step collects, until when. */
export interface DigestRow {
  /** Environment, workflow, step, subscriber and key. Primary key. */
  bucket: string
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the step that collects; null when none is open. */
  jobId: Id | null
  /** When it ends; where none is open, until when one that looks back still sees the last event. */
  dueAt: Millis | null
  /** When the last event came, for digests that look back. */
  lastEventAt: Millis | null
  /** When it was last changed. */
  updatedAt: Millis
}

/** How often a throttle let runs through in its window. */
export interface ThrottleRow {
  /** Environment, workflow, step, subscriber and key. Primary key. */
  bucket: string
  /** The environment it belongs to. */
  environmentId: Id
  /** When the window began. */
  startAt: Millis
  /** When the window ends. */
  endAt: Millis
  /** How many were let through. */
  count: number
}
