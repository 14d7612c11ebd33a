import type { Id, JsonText, Millis } from './column.ts'

/** The state of one idempotency key. */
export interface IdempotencyRow {
  /** The key; unique in the organization, of which there is one. Primary key. */
  key: string
  /** SHA-256 of the request's body, hexadecimal. */
  bodyHash: string
  /** Whose turn it is: distinguishes a claim from the one that replaced it after its time was over. */
  claim: string
  /** `in_progress` until the first request is answered, then `cached`. */
  state: 'in_progress' | 'cached'
  /** Status of the stored answer. */
  status: number | null
  /** Content type of the stored answer. */
  contentType: string | null
  /** Body of the stored answer, sealed. */
  body: string | null
  /** Until when it counts. */
  expiresAt: Millis
}

/** The tokens of one environment in one category. */
export interface RateBucketRow {
  /** The environment. Primary key with `category`. */
  environmentId: Id
  /** `events`, `configuration` or `global`. */
  category: string
  /** The tokens that were there at `refilledAt`. */
  tokens: number
  /** When they were counted. */
  refilledAt: Millis
}

/** A piece of work in the queue. */
export interface QueueItemRow {
  /** Primary key. */
  id: string
  /** The kind of work. */
  kind: string
  /** The subject of the work, such as a row id. */
  subject: string
  /** Items of one lane are held up together. */
  lane: string
  /** When it may be taken. */
  dueAt: Millis
  /** How often it was taken. */
  attempts: number
  /** The process that works on it. */
  processId: string | null
  /** When it was added. */
  createdAt: Millis
  /** What is smaller is taken first. */
  priority: number
}

/** A service process that shares the database. */
export interface ProcessRow {
  /** Primary key. */
  id: string
  /** The machine and its boot, as far as the process knows. */
  host: string
  /** Its number on that machine. */
  pid: number
  /** When it last said that it lives, by the clock of the database's machine or its own. */
  heartbeatAt: Millis
  /** Facts about it for operators. */
  info: JsonText
}
