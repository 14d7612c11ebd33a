import type { Flag, Id, JsonText, Millis } from './column.ts'

/** An event in the history of a run. */
export interface ExecutionDetailRow {
  /** Primary key; sorts by time. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the run. */
  runId: Id
  /** Row id of the step; null for the run itself. */
  jobId: Id | null
  /** Row id of the message that the event concerns. */
  messageId: Id | null
  /** `Success`, `Warning`, `Failed`, `Pending`, `Queued` or `ReadConfirmation`. */
  status: string
  /** A human-readable description of the event. */
  detail: string
  /** `Credentials`, `Internal`, `Payload` or `Webhook`. */
  source: string
  /** The delivery provider. */
  providerId: string | null
  /** Additional data. */
  raw: JsonText | null
  /** Whether the run was a test. */
  isTest: Flag
  /** Whether the event belongs to a retry. */
  isRetry: Flag
  /** When it happened. */
  createdAt: Millis
}

/** A bridge call, with secrets masked. */
export interface BridgeCallRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the run, if the bridge was called for one. */
  runId: Id | null
  /** Row id of the step. */
  jobId: Id | null
  /** `execute`, `preview`, `discover` or `health-check`. */
  action: string
  url: string
  /** `{ method, headers, body }`. */
  request: JsonText
  /** `{ status, headers, body }`, or `{ code, message }` if there was no response. */
  reply: JsonText | null
  /** The HTTP status, if there was one. */
  status: number | null
  /** The duration, in milliseconds. */
  durationMs: number
  /** When it started. */
  createdAt: Millis
}

/** The open digest of a bucket: the step that collects events, and when it ends. */
export interface DigestRow {
  /** Combines environment, workflow, step, subscriber and key. Primary key. */
  bucket: string
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the step that collects events; null if no digest is open. */
  jobId: Id | null
  /** When the open digest ends. Without an open digest: until when a look-back window can include the last event. */
  dueAt: Millis | null
  /** When the last event happened, for digests with a look-back window. */
  lastEventAt: Millis | null
  /** When it was last changed. */
  updatedAt: Millis
}

/** The number of runs that a throttle has allowed in the current window. */
export interface ThrottleRow {
  /** Environment, workflow, step, subscriber and key. Primary key. */
  bucket: string
  /** The environment it belongs to. */
  environmentId: Id
  /** When the window started. */
  startAt: Millis
  /** When the window ends. */
  endAt: Millis
  /** The number of allowed runs. */
  count: number
}
