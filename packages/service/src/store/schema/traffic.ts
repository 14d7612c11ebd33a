import type { Id, JsonText, Millis } from './column.ts'

/** The state of one idempotency key. */
export interface IdempotencyRow {
  /** The key; unique in the organization. Primary key. */
  key: string
  /** SHA-256 of the request's body in hexadecimal. */
  bodyHash: string
  /** Identifies the claim; it changes when an expired claim is replaced. */
  claim: string
  /** `in_progress` until the first request has a response, then `cached`. */
  state: 'in_progress' | 'cached'
  /** Status of the stored response. */
  status: number | null
  /** Content type of the stored response. */
  contentType: string | null
  /** Body of the stored response, sealed. */
  body: string | null
  /** When it expires. */
  expiresAt: Millis
}

/** The rate-limit tokens of one environment in one category. */
export interface RateBucketRow {
  /** The environment. Primary key with `category`. */
  environmentId: Id
  /** `events`, `configuration` or `global`. */
  category: string
  /** The number of tokens at `refilledAt`. */
  tokens: number
  /** When the tokens were counted. */
  refilledAt: Millis
}

/** A work item in the queue. */
export interface QueueItemRow {
  /** Primary key. */
  id: string
  /** The kind of work. */
  kind: string
  /** The subject of the work, such as a row id. */
  subject: string
  /** Items of the same lane are delayed together. */
  lane: string
  /** When it is due. */
  dueAt: Millis
  /** How often the item was claimed. */
  attempts: number
  /** The process that claimed the item. */
  processId: string | null
  /** When it was added. */
  createdAt: Millis
  /** The priority; lower values are claimed first. */
  priority: number
}

/** A service process that shares the database. */
export interface ProcessRow {
  /** Primary key. */
  id: string
  /** Identifies the machine and its boot, if available. */
  host: string
  /** The process id. */
  pid: number
  /** The time of the last heartbeat, by the clock of the database server, or else of the process. */
  heartbeatAt: Millis
  /** Information for operators. */
  info: JsonText
}
